// A model folder made ready to answer: the front ends' one way in.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "engine/session/session.h"

namespace poplens {

enum class DeviceChoice : uint8_t { automatic, cpu, cuda };

// The backend asked for, with `threads` (0: all cores). Fails with one sentence that says why not.
Result<std::shared_ptr<Backend>> open_device(DeviceChoice choice, int threads);

struct LoadOptions {
  DeviceChoice device = DeviceChoice::automatic;
  std::optional<DType> activations;  // f32 or bf16; nothing: bf16, unless the weights are stored in f32
  int threads = 0;
  std::optional<int> max_image_tokens;  // of each picture
  // If given, the weights are read from the disk now and not on first use, and this is told how far that is. A stop
  // takes effect within a few megabytes.
  std::function<void(int64_t done_bytes, int64_t total_bytes)> on_progress;
  std::stop_token stop;
};

// Makes the part that reads pictures; handed in by the front ends, since the engine knows no vision. Called only for
// models that read pictures.
using EncoderFactory = std::function<Result<std::shared_ptr<ImageEncoder>>(
    const std::filesystem::path& folder, const ModelConfig& config, const WeightSource& source,
    std::shared_ptr<Backend> backend, DType activations, std::optional<int> max_image_tokens)>;

struct LoadedModel {
  std::shared_ptr<const PromptBuilder> prompts;
  std::shared_ptr<Decoder> decoder;
  std::shared_ptr<ImageEncoder> encoder;  // null: reads no pictures
  std::shared_ptr<Backend> backend;
  int64_t weights_bytes = 0;
};

// Checks config, tokenizer and every tensor, and that the weights fit the memory that is free.
Result<LoadedModel> load_model(const std::filesystem::path& folder, const LoadOptions& options,
                               const EncoderFactory& make_encoder);

}  // namespace poplens
