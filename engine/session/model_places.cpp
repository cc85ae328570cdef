#include "engine/session/model_places.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include <nlohmann/json.hpp>

#include "engine/base/json_file.h"

namespace poplens {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> path_from(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return fs::path(value);
}

fs::path home() {
  return path_from("HOME").value_or("/");
}

fs::path cache_folder() {
  return path_from("XDG_CACHE_HOME").value_or(home() / ".cache");
}

std::vector<fs::path> children(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code status;
  for (fs::directory_iterator it(folder, status), end; !status && it != end; it.increment(status)) {
    found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The blob of the manifest's layer that holds the model.
std::optional<fs::path> ollama_blob(const fs::path& models, const fs::path& manifest) {
  const auto json = read_json_file(manifest);
  if (!json.ok() || !json->has("layers") || !json->value().at("layers").is_array()) return std::nullopt;
  for (const nlohmann::json& entry : json->value().at("layers")) {
    if (!entry.is_object()) continue;
    const JsonObject layer(entry, "layer");
    const auto type = layer.text("mediaType", "");
    const auto digest = layer.text("digest", "");
    if (!type.ok() || !digest.ok() || !type->ends_with(".model") || !digest->starts_with("sha256:")) continue;
    const std::string hash = digest->substr(std::string("sha256:").size());
    if (hash.empty() || hash.find_first_not_of("0123456789abcdef") != std::string::npos) continue;
    return models / "blobs" / std::string("sha256-").append(hash);
  }
  return std::nullopt;
}

}  // namespace

std::vector<fs::path> hugging_face_caches() {
  if (const auto cache = path_from("HF_HUB_CACHE")) return {*cache};
  if (const auto hugging_face = path_from("HF_HOME")) return {*hugging_face / "hub"};
  return {cache_folder() / "huggingface" / "hub"};
}

std::optional<Snapshot> hugging_face_snapshot(const fs::path& folder) {
  constexpr std::string_view kPrefix = "models--";
  std::string name = folder.filename().string();
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.erase(0, kPrefix.size());
  if (const size_t dashes = name.find("--"); dashes != std::string::npos) name.replace(dashes, 2, 1, '/');

  std::string revision;
  std::ifstream(folder / "refs" / "main") >> revision;
  std::error_code status;
  const bool plain = !revision.empty() && revision.find('/') == std::string::npos && !revision.starts_with('.');
  if (plain && fs::is_directory(folder / "snapshots" / revision, status)) {
    return Snapshot{folder / "snapshots" / revision, name};
  }
  const std::vector<fs::path> snapshots = children(folder / "snapshots");
  if (snapshots.empty()) return std::nullopt;
  return Snapshot{snapshots.back(), name};
}

std::vector<fs::path> gguf_folders() {
  return {home() / ".lmstudio" / "models", cache_folder() / "lm-studio" / "models", cache_folder() / "llama.cpp"};
}

std::vector<OllamaModel> ollama_models() {
  const fs::path models = path_from("OLLAMA_MODELS").value_or(home() / ".ollama" / "models");
  std::vector<OllamaModel> found;
  for (const fs::path& model : children(models / "manifests" / "registry.ollama.ai" / "library")) {
    for (const fs::path& tag : children(model)) {
      const auto blob = ollama_blob(models, tag);
      if (blob) found.push_back({*blob, model.filename().string() + ":" + tag.filename().string()});
    }
  }
  return found;
}

}  // namespace poplens
