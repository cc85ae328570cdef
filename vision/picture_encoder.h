// The engine's way to pictures, whatever the family.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "engine/model/model_config.h"
#include "engine/session/image_encoder.h"

namespace poplens {

// Measures pictures as the model folder's processor settings say; needs no weights. Null for a model that reads no
// pictures.
Result<std::shared_ptr<PictureMeasurer>> make_picture_measurer(const std::filesystem::path& folder,
                                                               const ModelConfig& config,
                                                               std::optional<int> max_image_tokens);

// An EncoderFactory (engine/session/load_model.h). max_image_tokens bounds each picture's soft tokens where the family
// chooses their number (Qwen3-VL).
Result<std::shared_ptr<ImageEncoder>> make_image_encoder(const std::filesystem::path& folder, const ModelConfig& config,
                                                         const WeightSource& source, std::shared_ptr<Backend> backend,
                                                         DType activations, std::optional<int> max_image_tokens);

// What the vision tower is fed, f32: Qwen3-VL [patches, values] in the processor's order, Gemma-3 [crops, 3, H, W].
struct PicturePixels {
  PictureGeometry geometry;
  int grid_h = 0;  // patches
  int grid_w = 0;
  std::vector<int64_t> shape;
  std::vector<float> values;
};
Result<PicturePixels> read_picture_pixels(const std::filesystem::path& folder, const ModelConfig& config,
                                          const Picture& picture, std::optional<int> max_image_tokens,
                                          bool pan_and_scan = false);

}  // namespace poplens
