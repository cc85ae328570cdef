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

constexpr size_t kPageBytes = 4096;
constexpr int64_t kTellEveryBytes = int64_t{16} << 20;

// Touches every page of the mapped weights.
Result<void> read_weights(const Checkpoint& checkpoint, const LoadOptions& options) {
  const int64_t total = checkpoint.total_bytes();
  int64_t done = 0;
  int64_t told = 0;
  options.on_progress(0, total);
  for (const std::string& name : checkpoint.names()) {
    const std::span<const std::byte> bytes = checkpoint.find(name)->bytes;
    for (size_t at = 0; at < bytes.size(); at += kPageBytes) {
      [[maybe_unused]] const std::byte read = *static_cast<const volatile std::byte*>(&bytes[at]);
      const int64_t now = done + static_cast<int64_t>(at);
      if (now - told < kTellEveryBytes) continue;
      if (options.stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};
      told = now;
      options.on_progress(now, total);
    }
    done += static_cast<int64_t>(bytes.size());
  }
  options.on_progress(total, total);
  return {};
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
  if (options.stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};
  if (options.on_progress) POPLENS_CHECK(read_weights(checkpoint, options));
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
