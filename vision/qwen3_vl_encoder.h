// Qwen3-VL's pictures for the engine: measuring, encoding, and the pixels in between.
#pragma once

#include <optional>

#include "engine/model/model_config.h"
#include "vision/picture_encoder.h"
#include "vision/qwen3_vl_processor.h"
#include "vision/qwen3_vl_tower.h"

namespace poplens {

Result<std::shared_ptr<PictureMeasurer>> make_qwen3_vl_measurer(const std::filesystem::path& folder,
                                                                const ModelConfig& config,
                                                                std::optional<int> max_image_tokens);
Result<std::shared_ptr<ImageEncoder>> make_qwen3_vl_encoder(const std::filesystem::path& folder,
                                                            const ModelConfig& config, const WeightSource& source,
                                                            std::shared_ptr<Backend> backend, DType activations,
                                                            std::optional<int> max_image_tokens);
Result<PicturePixels> read_qwen3_vl_pixels(const std::filesystem::path& folder, const ModelConfig& config,
                                           const Picture& picture, std::optional<int> max_image_tokens);

}  // namespace poplens
