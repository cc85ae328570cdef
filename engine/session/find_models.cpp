#include "engine/session/find_models.h"

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>

#include "engine/base/json_file.h"
#include "engine/session/model_places.h"

namespace poplens {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 5;
// So that a home folder that someone adds is looked through in moments.
constexpr size_t kMostEntries = 50'000;

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code status;
  for (fs::directory_iterator it(folder, status), end; !status && it != end && entries.size() < kMostEntries;
       it.increment(status)) {
    entries.push_back(it->path());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

bool has_weights(const fs::path& folder) {
  const std::vector<fs::path> entries = entries_of(folder);
  return std::any_of(entries.begin(), entries.end(),
                     [](const auto& file) { return file.extension() == ".safetensors"; });
}

// A config.json of something else (an editor, a server) names no model type; one that is damaged is known by the
// weights beside it.
bool is_model_folder(const fs::path& folder) {
  std::error_code status;
  if (!fs::is_regular_file(folder / "config.json", status)) return false;
  const auto config = read_json_file(folder / "config.json");
  return config.ok() ? config->has("model_type") : has_weights(folder);
}

// Vision parts lie beside their model, and of a model in several files the first one stands for all.
bool is_gguf_model(const fs::path& file) {
  if (file.extension() != ".gguf") return false;
  const std::string name = file.filename().string();
  const size_t part = name.find("-of-");
  return !name.starts_with("mmproj") && (part == std::string::npos || name.substr(0, part).ends_with("-00001"));
}

class Finder {
 public:
  explicit Finder(std::stop_token stop) : stop_(std::move(stop)) {}

  void look_in(const fs::path& folder, ModelOrigin origin, int depth = 0) {
    if (depth > kDeepest || stop_.stop_requested() || looked_at_ > kMostEntries) return;
    if (const auto snapshot = hugging_face_snapshot(folder)) {
      const size_t before = models_.size();
      look_in(snapshot->folder, origin, kDeepest - 1);
      for (size_t i = before; i < models_.size(); ++i) {
        if (models_[i].path == snapshot->folder) models_[i].name = snapshot->name;
      }
      return;
    }
    if (is_model_folder(folder)) return add(folder, origin);
    for (const fs::path& entry : entries_of(folder)) {
      ++looked_at_;
      std::error_code status;
      if (fs::is_directory(entry, status)) {
        look_in(entry, origin, depth + 1);
      } else if (is_gguf_model(entry)) {
        add(entry, origin);
      }
    }
  }

  void add(const fs::path& path, ModelOrigin origin, const std::string& name = {}) {
    std::error_code status;
    const fs::path real = fs::canonical(path, status);
    if (status || !seen_.insert(real).second) return;
    FoundModel model = describe_model(path);
    model.origin = origin;
    if (!name.empty()) model.name = name;
    models_.push_back(std::move(model));
  }

  std::vector<FoundModel> take() {
    std::stable_sort(models_.begin(), models_.end(), [](const FoundModel& a, const FoundModel& b) {
      return std::pair(!a.loadable(), a.name) < std::pair(!b.loadable(), b.name);
    });
    return std::move(models_);
  }

 private:
  std::stop_token stop_;
  size_t looked_at_ = 0;
  std::set<fs::path> seen_;
  std::vector<FoundModel> models_;
};

}  // namespace

std::vector<FoundModel> find_models(const ModelPlaces& places, const std::stop_token& stop) {
  Finder finder(stop);
  for (const fs::path& folder : places.bundled) finder.look_in(folder, ModelOrigin::bundled);
  for (const fs::path& folder : places.added) finder.look_in(folder, ModelOrigin::added_folder);
  if (places.usual) {
    for (const fs::path& folder : hugging_face_caches()) finder.look_in(folder, ModelOrigin::hugging_face_cache);
    for (const fs::path& folder : gguf_folders()) finder.look_in(folder, ModelOrigin::other_program);
    for (const OllamaModel& model : ollama_models()) finder.add(model.file, ModelOrigin::other_program, model.name);
  }
  return finder.take();
}

}  // namespace poplens
