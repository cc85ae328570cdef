#include "engine/session/load_model.h"

#include "engine/backend/cpu/cpu_backend.h"
#include "engine/session/memory_need.h"

namespace poplens {
namespace {

// Tensors' errors know the file's name, not where it lies.
Error in_folder(const std::filesystem::path& folder, const Error& error) {
  if (error.message.starts_with(folder.string())) return error;
  return Error{folder.string() + ": " + error.message, error.cancelled};
}

}  // namespace

Result<std::shared_ptr<Backend>> open_device(DeviceChoice choice, int threads) {
  if (choice == DeviceChoice::cuda) return Error{"device cuda: this build has no CUDA backend; use --device cpu"};
  return make_cpu_backend({.threads = threads});
}

Result<LoadedModel> load_model(const std::filesystem::path& folder, const LoadOptions& options,
                               const EncoderFactory& make_encoder) {
  POPLENS_TRY(prompts, PromptBuilder::from_folder(folder));
  const ModelConfig& config = prompts.config();
  POPLENS_TRY(checkpoint, Checkpoint::open(folder));
  POPLENS_CHECK(
      check_memory(folder.string() + ": loading the model", checkpoint.total_bytes(), available_memory_bytes()));
  POPLENS_TRY(backend, open_device(options.device, options.threads));

  LoadedModel model;
  model.weights_bytes = checkpoint.total_bytes();
  model.backend = backend;
  const DType activations = options.activations.value_or(config.stored_dtype == DType::f32 ? DType::f32 : DType::bf16);
  const CheckpointSource source(std::move(checkpoint));
  auto weights = load_decoder_weights(config.decoder, config.names, source, *backend);
  if (!weights.ok()) return in_folder(folder, weights.error());
  model.decoder = std::make_shared<Decoder>(config.decoder, std::move(weights).value(), backend, activations);
  if (config.vision_config && make_encoder) {
    auto encoder = make_encoder(folder, config, source, backend, activations, options.max_image_tokens);
    if (!encoder.ok()) return in_folder(folder, encoder.error());
    model.encoder = std::move(encoder).value();
  }
  model.prompts = std::make_shared<const PromptBuilder>(std::move(prompts));
  return model;
}

}  // namespace poplens
