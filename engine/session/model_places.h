// Where programs keep the models that they have downloaded. Nothing here fails: what is not there is left out.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace poplens {

// HF_HUB_CACHE, HF_HOME/hub, or the cache folder's huggingface/hub (huggingface_hub, constants.py).
std::vector<std::filesystem::path> hugging_face_caches();

struct Snapshot {
  std::filesystem::path folder;
  std::string name;  // "org/model"
};
// What a cache's "models--org--model" stands for: the snapshot that its refs/main names, else the last by name. Nothing
// for any other folder.
std::optional<Snapshot> hugging_face_snapshot(const std::filesystem::path& folder);

// Folders of LM Studio and llama.cpp, which hold .gguf files.
std::vector<std::filesystem::path> gguf_folders();

struct OllamaModel {
  std::filesystem::path file;  // a GGUF file without an ending
  std::string name;            // "qwen3-vl:2b"
};
// From the manifests under OLLAMA_MODELS or ~/.ollama/models.
std::vector<OllamaModel> ollama_models();

}  // namespace poplens
