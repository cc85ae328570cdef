// The engine's ImageEncoder: picture file to features of the decoder's width.
#pragma once

#include <memory>
#include <optional>

#include "engine/model/model_config.h"
#include "engine/session/image_encoder.h"
#include "engine/session/load_model.h"
#include "vision/qwen3_vl_processor.h"
#include "vision/qwen3_vl_tower.h"

namespace poplens {

// Measures pictures as the model folder's processor settings say; needs no weights.
Result<std::shared_ptr<PictureMeasurer>> make_picture_measurer(const std::filesystem::path& folder,
                                                               const ModelConfig& config,
                                                               std::optional<int> max_image_tokens);

// An EncoderFactory (engine/session/load_model.h).
Result<std::shared_ptr<ImageEncoder>> make_image_encoder(const std::filesystem::path& folder, const ModelConfig& config,
                                                         const WeightSource& source, std::shared_ptr<Backend> backend,
                                                         DType activations, std::optional<int> max_image_tokens);

// What the vision tower is fed: [patches, values] f32 in the processor's order.
struct PicturePixels {
  PictureGeometry geometry;
  int grid_h = 0;  // patches
  int grid_w = 0;
  int64_t values_per_patch = 0;
  std::vector<float> values;
};
Result<PicturePixels> read_picture_pixels(const std::filesystem::path& folder, const ModelConfig& config,
                                          const Picture& picture, std::optional<int> max_image_tokens);

class Qwen3VlEncoder final : public ImageEncoder {
 public:
  Qwen3VlEncoder(Qwen3VlProcessor processor, Qwen3VlTower tower)
      : processor_(std::move(processor)), tower_(std::move(tower)) {}

  Result<PictureGeometry> measure(const Picture& picture) const override;
  int64_t workspace_bytes(const PictureGeometry& geometry) const override;
  Result<PictureFeatures> encode(const Picture& picture, const EncodeProgress& progress,
                                 const std::stop_token& stop) override;

 private:
  Qwen3VlProcessor processor_;
  Qwen3VlTower tower_;
};

}  // namespace poplens
