#include "app/cli/bench_model.h"

#include "app/cli/model_names.h"
#include "app/cli/model_sizes.h"
#include "app/cli/published_shapes.h"
#include "engine/session/kv_cache.h"
#include "engine/session/memory_need.h"

namespace poplens::cli {
namespace {

struct Weights {
  ModelConfig config;
  std::unique_ptr<WeightSource> source;
};

Result<Weights> find_weights(const BenchOptions& options) {
  if (!options.shape.empty()) {
    POPLENS_TRY(config, published_shape(options.shape));
    auto source = std::make_unique<RandomSource>(options.common.seed, config.decoder.tied_head);
    return Weights{std::move(config), std::move(source)};
  }
  POPLENS_TRY(folder, find_model(options.common));
  POPLENS_TRY(config, read_model_config(folder));
  POPLENS_TRY(checkpoint, Checkpoint::open(folder));
  return Weights{std::move(config), std::make_unique<CheckpointSource>(std::move(checkpoint))};
}

Result<void> cut_layers(DecoderSpec& spec, const std::optional<int>& layers) {
  if (!layers) return {};
  if (*layers > spec.layer_count()) {
    return Error{"--layers " + std::to_string(*layers) + ": the model has " + std::to_string(spec.layer_count())};
  }
  spec.layers.resize(static_cast<size_t>(*layers));
  spec.deepstack_layers = std::min(spec.deepstack_layers, *layers);
  return {};
}

Result<void> check_depths(const std::vector<int>& depths, int layer_count) {
  for (const int depth : depths) POPLENS_CHECK(PopPlan::suffix(layer_count, depth, {}));
  return {};
}

int64_t tower_bytes(const Qwen3VlVisionSpec& spec, const BenchOptions& options, const BenchModel& model) {
  const int64_t patches = int64_t{options.image_tokens} * spec.merge_size * spec.merge_size;
  const Qwen3VlTower tower(spec, {}, model.backend, model.decoder->activations());
  return tower_parameters(spec) * size_of(model.config.stored_dtype) + tower.workspace_bytes(patches);
}

Result<void> check_fits(const BenchOptions& options, const BenchModel& model,
                        const std::optional<Qwen3VlVisionSpec>& tower) {
  const DecoderSpec& spec = model.config.decoder;
  const int64_t tokens = int64_t{options.image_tokens} + options.prompt_tokens;
  const int64_t weights = decoder_parameters(spec) * size_of(model.config.stored_dtype);
  const int64_t features =
      int64_t{options.image_tokens} * spec.hidden * (1 + spec.deepstack_layers) * size_of(DType::f32);
  const int64_t bytes = weights + features + (tower ? tower_bytes(*tower, options, model) : 0) +
                        KvCache::bytes(spec, model.decoder->activations(), tokens + options.decode_tokens) +
                        model.decoder->workspace_bytes(std::min(tokens, options.common.prefill_chunk_tokens));
  return check_memory(
      model.name + " with " + std::to_string(spec.layer_count()) + " layers and " + std::to_string(tokens) + " tokens",
      bytes, available_memory_bytes());
}

}  // namespace

Result<BenchModel> open_bench_model(const BenchOptions& options) {
  BenchModel model;
  model.name = options.shape.empty() ? options.common.model : options.shape;
  POPLENS_TRY(load, make_load_options(options.common));
  POPLENS_TRY(weights, find_weights(options));
  model.config = std::move(weights.config);
  DecoderSpec& spec = model.config.decoder;
  model.published_layers = spec.layer_count();
  POPLENS_CHECK(cut_layers(spec, options.layers));
  POPLENS_CHECK(check_depths(options.depths, spec.layer_count()));
  if (options.image_tokens > 0 && !model.config.image_tokens) {
    return Error{"--image-tokens " + std::to_string(options.image_tokens) + ": " + model.name + " reads no pictures"};
  }
  if (int64_t{options.image_tokens} + options.prompt_tokens + options.decode_tokens > spec.context) {
    return Error{"the context of " + model.name + " holds " + std::to_string(spec.context) + " tokens"};
  }
  POPLENS_TRY(backend, open_device(load.device, load.threads));
  model.backend = backend;

  const DType stored = model.config.stored_dtype;
  const DType activations = load.activations.value_or(stored == DType::f32 ? DType::f32 : DType::bf16);
  std::optional<Qwen3VlVisionSpec> tower;
  if (options.image_tokens > 0 && !options.no_vision && model.config.family == "qwen3_vl") {
    POPLENS_TRY(read, read_qwen3_vl_vision_spec(*model.config.vision_config, spec.hidden));
    tower = std::move(read);
  }
  model.decoder = std::make_unique<Decoder>(spec, DecoderWeights{}, backend, activations);
  POPLENS_CHECK(check_fits(options, model, tower));

  POPLENS_TRY(loaded, load_decoder_weights(spec, model.config.names, *weights.source, *backend));
  model.decoder = std::make_unique<Decoder>(spec, std::move(loaded), backend, activations);
  if (tower) {
    POPLENS_TRY(tower_weights, load_qwen3_vl_tower(*tower, *weights.source, *backend));
    model.tower.emplace(*tower, std::move(tower_weights), backend, activations);
  }
  return model;
}

}  // namespace poplens::cli
