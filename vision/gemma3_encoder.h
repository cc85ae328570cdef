// Gemma-3's pictures for the engine: measuring, encoding, and the pixels in between.
#pragma once

#include "engine/model/model_config.h"
#include "vision/picture_encoder.h"

namespace poplens {

Result<std::shared_ptr<PictureMeasurer>> make_gemma3_measurer(const std::filesystem::path& folder,
                                                              const ModelConfig& config);
Result<std::shared_ptr<ImageEncoder>> make_gemma3_encoder(const std::filesystem::path& folder,
                                                          const ModelConfig& config, const WeightSource& source,
                                                          std::shared_ptr<Backend> backend, DType activations);
Result<PicturePixels> read_gemma3_pixels(const std::filesystem::path& folder, const ModelConfig& config,
                                         const Picture& picture, bool pan_and_scan);

}  // namespace poplens
