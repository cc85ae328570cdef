// poplens-cli inspect: what a model folder holds and needs, from its config alone where the weights are not there.
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/model_names.h"
#include "app/cli/model_sizes.h"
#include "app/cli/request.h"
#include "engine/session/memory_need.h"
#include "engine/session/model_memory.h"
#include "vision/picture_encoder.h"

namespace poplens::cli {
namespace {

using nlohmann::ordered_json;

struct WeightsSize {
  int64_t parameters = 0;
  int64_t bytes = 0;
  bool stored = false;  // counted in files, not reckoned
};

bool has_weights(const std::filesystem::path& folder) {
  std::error_code status;
  return std::filesystem::exists(folder / "model.safetensors", status) ||
         std::filesystem::exists(folder / "model.safetensors.index.json", status);
}

Result<WeightsSize> stored_size(const std::filesystem::path& folder) {
  POPLENS_TRY(checkpoint, Checkpoint::open(folder));
  WeightsSize size{.bytes = checkpoint.total_bytes(), .stored = true};
  for (const std::string& name : checkpoint.names()) {
    int64_t values = 1;
    for (const int64_t side : checkpoint.find(name)->shape) values *= side;
    size.parameters += values;
  }
  return size;
}

Result<WeightsSize> reckoned_size(const ModelConfig& config) {
  POPLENS_TRY(parameters, model_parameters(config));
  return WeightsSize{.parameters = parameters, .bytes = parameters * size_of(config.stored_dtype)};
}

ordered_json memory_report(const DecoderSpec& decoder, const WeightsSize& weights, DType activations, int64_t chunk) {
  const RunningMemory memory = running_memory(decoder, activations, chunk);
  return {{"weights", weights.bytes},
          {"kv_cache_per_token", memory.bytes_per_token},
          {"kv_cache", memory.kv_cache_bytes},
          {"workspace", memory.workspace_bytes},
          {"total", weights.bytes + memory.kv_cache_bytes + memory.workspace_bytes},
          {"tokens", memory.tokens}};
}

Result<ordered_json> images_report(const std::filesystem::path& folder, const ModelConfig& config,
                                   const InspectOptions& options) {
  ordered_json list = ordered_json::array();
  if (options.images.empty()) return list;
  POPLENS_TRY(measurer, make_picture_measurer(folder, config, options.common.max_image_tokens));
  for (const std::string& path : options.images) {
    if (!measurer) return Error{path + ": this model reads no pictures"};
    POPLENS_TRY(picture, read_picture(path));
    POPLENS_TRY(geometry, measurer->measure(picture));
    const int size[] = {geometry.width, geometry.height};
    const int model_size[] = {geometry.model_width, geometry.model_height};
    list.push_back({{"image", path}, {"size", size}, {"model_size", model_size}, {"tokens", geometry.soft_tokens()}});
  }
  return list;
}

std::string inspect_text(const ordered_json& report) {
  const auto bytes = [](const ordered_json& value) { return format_bytes(value.get<int64_t>()); };
  const ordered_json& memory = report["memory_bytes"]["cpu"];
  std::string text = report["family"].get<std::string>() + ", " + report["layers"].dump() + " layers, " +
                     report["parameters"].dump() + " parameters, " + bytes(report["weights_bytes"]) +
                     " of weights, context of " + report["context"].dump() + " tokens\n";
  text += "memory on the CPU: " + bytes(memory["total"]) + " with " + memory["tokens"].dump() +
          " tokens in the cache (" + bytes(memory["kv_cache"]) + " of cache, " + bytes(memory["workspace"]) +
          " to work in)\n";
  for (const ordered_json& image : report["images"]) {
    text += image["image"].get<std::string>() + ": " + image["tokens"].dump() + " tokens\n";
  }
  return text;
}

}  // namespace

Result<void> run_inspect(const InspectOptions& options) {
  POPLENS_TRY(folder, find_model(options.common));
  POPLENS_CHECK(make_load_options(options.common));
  POPLENS_TRY(config, read_model_config(folder));
  POPLENS_TRY(weights, has_weights(folder) ? stored_size(folder) : reckoned_size(config));
  POPLENS_TRY(images, images_report(folder, config, options));
  const DType activations = options.common.dtype.value_or(config.stored_dtype == DType::f32 ? DType::f32 : DType::bf16);

  int64_t image_tokens = 0;
  for (const ordered_json& image : images) image_tokens += image["tokens"].get<int64_t>();
  const DecoderSpec& decoder = config.decoder;
  const ordered_json report = {
      {"family", config.family},
      {"layers", decoder.layer_count()},
      {"parameters", weights.parameters},
      {"weights_bytes", weights.bytes},
      {"weights_stored", weights.stored},
      {"stored_dtype", name_of(config.stored_dtype)},
      {"context", decoder.context},
      {"hidden", decoder.hidden},
      {"intermediate", decoder.intermediate},
      {"heads", decoder.heads},
      {"kv_heads", decoder.kv_heads},
      {"head_dim", decoder.head_dim},
      {"vocab", decoder.vocab},
      {"vision", config.vision_config.has_value()},
      {"memory_bytes", {{"cpu", memory_report(decoder, weights, activations, options.common.prefill_chunk_tokens)}}},
      {"image_tokens", images.empty() ? ordered_json(nullptr) : ordered_json(image_tokens)},
      {"images", images},
  };
  return options.common.json ? print_json(report) : print_text(inspect_text(report));
}

}  // namespace poplens::cli
