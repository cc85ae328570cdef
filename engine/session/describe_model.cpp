#include <cctype>
#include <system_error>

#include <nlohmann/json.hpp>

#include "engine/model/model_config.h"
#include "engine/session/find_models.h"
#include "engine/session/memory_need.h"
#include "engine/session/model_memory.h"
#include "engine/weights/checkpoint.h"

namespace poplens {
namespace {

namespace fs = std::filesystem;

void stop_at(FoundModel& model, ModelObstacle obstacle, std::string why_not) {
  if (!model.loadable()) return;
  model.obstacle = obstacle;
  model.why_not = std::move(why_not);
}

// "Q4_K_M" of "qwen3-vl-2b-Q4_K_M.gguf": the last part of the name, where it looks like a GGUF type.
std::string gguf_type(const fs::path& file) {
  const std::string stem = file.stem().string();
  const std::string type = stem.substr(stem.find_last_of("-.") + 1);
  const size_t digit = type.find_first_of("0123456789");
  if (digit == std::string::npos || digit == 0) return {};
  std::string letters = type.substr(0, digit);
  for (char& letter : letters) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  const bool known = letters == "Q" || letters == "IQ" || letters == "F" || letters == "BF" || letters == "TQ";
  return known ? type : std::string();
}

FoundModel describe_gguf(const fs::path& file) {
  FoundModel model{.path = file, .name = file.stem().string(), .quantization = gguf_type(file)};
  std::error_code status;
  const auto size = fs::file_size(file, status);
  if (!status) model.weights_bytes = static_cast<int64_t>(size);
  stop_at(model, ModelObstacle::gguf, "GGUF files are not supported yet");
  return model;
}

// What can be told of a model that the engine does not know.
void read_names(FoundModel& model) {
  const auto config = read_json_file(model.path / "config.json");
  if (!config.ok()) return;
  if (const auto type = config->text("model_type", ""); type.ok()) model.family = *type;
  const auto quantization = config->object("quantization_config");
  if (!quantization.ok()) return;
  if (const auto method = quantization->text("quant_method", "quantised"); method.ok()) model.quantization = *method;
}

bool is_of_tower(const std::string& tensor) {
  return tensor.find("visual.") != std::string::npos || tensor.find("vision_tower.") != std::string::npos;
}

void count_weights(FoundModel& model, const Checkpoint& checkpoint) {
  model.weights_bytes = checkpoint.total_bytes();
  for (const std::string& name : checkpoint.names()) {
    int64_t values = 1;
    for (const int64_t side : checkpoint.find(name)->shape) values *= side;
    model.parameters += values;
    model.vision = model.vision || is_of_tower(name);
  }
}

FoundModel describe_folder(const fs::path& folder) {
  FoundModel model{.path = folder, .name = folder.filename().string()};
  const auto config = read_model_config(folder);
  if (!config.ok()) {
    read_names(model);
    stop_at(model, ModelObstacle::not_known, config.error().message);
    return model;
  }
  model.family = config->family;
  model.layers = config->decoder.layer_count();
  model.quantization = name_of(config->stored_dtype);

  const auto checkpoint = Checkpoint::open(folder);
  if (!checkpoint.ok()) {
    stop_at(model, ModelObstacle::incomplete, checkpoint.error().message);
    return model;
  }
  count_weights(model, *checkpoint);
  if (config->vision_config && !model.vision) {
    stop_at(model, ModelObstacle::incomplete, folder.string() + ": the weights of the vision tower are missing");
  }
  std::error_code status;
  const bool has_tokenizer =
      fs::exists(folder / "tokenizer.json", status) || fs::exists(folder / "tokenizer.model", status);
  if (!has_tokenizer)
    stop_at(model, ModelObstacle::incomplete,
            folder.string() + ": neither tokenizer.json nor tokenizer.model is there");

  const RunningMemory running =
      running_memory(config->decoder, config->stored_dtype == DType::f32 ? DType::f32 : DType::bf16);
  model.memory_bytes = model.weights_bytes + running.kv_cache_bytes + running.workspace_bytes;
  const auto fits = check_memory(model.name, model.weights_bytes, available_memory_bytes());
  if (!fits.ok()) stop_at(model, ModelObstacle::memory, fits.error().message);
  return model;
}

}  // namespace

FoundModel describe_model(const fs::path& path) {
  std::error_code status;
  return fs::is_directory(path, status) ? describe_folder(path) : describe_gguf(path);
}

}  // namespace poplens
