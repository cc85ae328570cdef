// The models that lie on this machine already, and what each would need.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace poplens {

// Where a model was found.
enum class ModelOrigin : uint8_t { bundled, hugging_face_cache, other_program, added_folder };

// Why a model cannot be loaded, as far as it decides what to do about it.
enum class ModelObstacle : uint8_t {
  none,
  gguf,        // of a format that is not read yet
  not_known,   // another architecture, or an edition (quantised) that is not supported
  incomplete,  // files are missing or damaged
  memory,      // the weights do not fit what is free
};

struct FoundModel {
  std::filesystem::path path;  // a Hugging Face folder, or a .gguf file
  std::string name;            // "Qwen/Qwen3-VL-2B-Instruct", or the folder's name
  ModelOrigin origin = ModelOrigin::added_folder;
  std::string family;         // "qwen3_vl"; empty where it is not told
  std::string quantization;   // "BF16", "F32", "Q4_K_M", "gptq"; empty where it is not told
  int layers = 0;             // 0: not known
  int64_t parameters = 0;     // 0: not known
  int64_t weights_bytes = 0;  // of the files
  int64_t memory_bytes = 0;   // weights, and cache and workspace of a usual prompt; 0: not known
  bool vision = false;        // reads pictures: the config says so and the tower's weights are there
  ModelObstacle obstacle = ModelObstacle::none;
  std::string why_not;  // one sentence; empty where nothing stands in the way

  bool loadable() const { return obstacle == ModelObstacle::none; }
};

struct ModelPlaces {
  std::vector<std::filesystem::path> bundled;  // folders of model folders
  std::vector<std::filesystem::path> added;    // a person's own; may be model folders themselves
  bool usual = true;  // the Hugging Face cache, and the folders of LM Studio, llama.cpp and Ollama
};

// Looks a few levels deep below every place; reads configs and the headers of weight files, no weights. Every model
// once, those that can be loaded first, by name. Folders that cannot be read are passed over.
std::vector<FoundModel> find_models(const ModelPlaces& places, const std::stop_token& stop = {});

// One folder with a config.json, or one .gguf file.
FoundModel describe_model(const std::filesystem::path& path);

}  // namespace poplens
