// poplens-cli models: the models that lie on this machine already.
#include <cstdio>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/model_names.h"
#include "engine/session/find_models.h"
#include "engine/session/memory_need.h"

namespace poplens::cli {
namespace {

using nlohmann::ordered_json;

// Null where it is not known.
ordered_json known(const std::string& text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

ordered_json known(int64_t number) {
  return number == 0 ? ordered_json(nullptr) : ordered_json(number);
}

const char* name_of(ModelOrigin origin) {
  switch (origin) {
    case ModelOrigin::bundled:
      return "bundled";
    case ModelOrigin::hugging_face_cache:
      return "hugging_face_cache";
    case ModelOrigin::other_program:
      return "other_program";
    case ModelOrigin::added_folder:
      break;
  }
  return "folder";
}

ordered_json models_report(const std::vector<FoundModel>& models) {
  ordered_json list = ordered_json::array();
  for (const FoundModel& model : models) {
    list.push_back({{"path", model.path.string()},
                    {"name", model.name},
                    {"origin", name_of(model.origin)},
                    {"family", known(model.family)},
                    {"layers", known(model.layers)},
                    {"parameters", known(model.parameters)},
                    {"quantization", known(model.quantization)},
                    {"weights_bytes", known(model.weights_bytes)},
                    {"memory_bytes", known(model.memory_bytes)},
                    {"vision", model.vision},
                    {"loadable", model.loadable()},
                    {"why_not", known(model.why_not)}});
  }
  return {{"models", std::move(list)}, {"memory_free_bytes", available_memory_bytes()}};
}

std::string model_text(const FoundModel& model) {
  std::string text = model.name + "\n  " + model.path.string() + "\n  ";
  text += model.family.empty() ? "family not known" : model.family;
  if (model.parameters > 0) {
    char millions[32];
    std::snprintf(millions, sizeof millions, ", %.0f M parameters", static_cast<double>(model.parameters) / 1e6);
    text += millions;
  }
  if (!model.quantization.empty()) text += ", " + model.quantization;
  if (model.vision) text += ", reads pictures";
  if (model.memory_bytes > 0) text += ", needs " + format_bytes(model.memory_bytes);
  text += "\n";
  if (!model.loadable()) text += "  cannot be loaded: " + model.why_not + "\n";
  return text;
}

}  // namespace

Result<void> run_models(const ModelsOptions& options) {
  const InterruptWatch interrupt;
  ModelPlaces places{.bundled = bundled_model_folders()};
  for (const std::string& folder : options.folders) {
    std::error_code status;
    if (!std::filesystem::exists(folder, status)) return Error{folder + ": no such folder"};
    if (!std::filesystem::is_directory(folder, status)) return Error{folder + ": is not a folder"};
    places.added.emplace_back(folder);
  }
  const std::vector<FoundModel> models = find_models(places, interrupt.token());
  if (options.json) return print_json(models_report(models));
  std::string text;
  for (const FoundModel& model : models) text += model_text(model);
  return print_text(text.empty() ? "no models found\n" : text);
}

}  // namespace poplens::cli
