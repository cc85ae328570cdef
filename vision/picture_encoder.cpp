#include "vision/picture_encoder.h"

#include "vision/gemma3_encoder.h"
#include "vision/qwen3_vl_encoder.h"

namespace poplens {

Result<std::shared_ptr<PictureMeasurer>> make_picture_measurer(const std::filesystem::path& folder,
                                                               const ModelConfig& config,
                                                               std::optional<int> max_image_tokens) {
  if (!config.vision_config) return std::shared_ptr<PictureMeasurer>();
  if (config.family == "gemma3") return make_gemma3_measurer(folder, config);
  return make_qwen3_vl_measurer(folder, config, max_image_tokens);
}

Result<std::shared_ptr<ImageEncoder>> make_image_encoder(const std::filesystem::path& folder, const ModelConfig& config,
                                                         const WeightSource& source, std::shared_ptr<Backend> backend,
                                                         DType activations, std::optional<int> max_image_tokens) {
  if (config.family == "gemma3") return make_gemma3_encoder(folder, config, source, std::move(backend), activations);
  return make_qwen3_vl_encoder(folder, config, source, std::move(backend), activations, max_image_tokens);
}

Result<PicturePixels> read_picture_pixels(const std::filesystem::path& folder, const ModelConfig& config,
                                          const Picture& picture, std::optional<int> max_image_tokens,
                                          bool pan_and_scan) {
  if (!config.vision_config) return Error{picture.name + ": this model reads no pictures"};
  if (config.family == "gemma3") return read_gemma3_pixels(folder, config, picture, pan_and_scan);
  if (pan_and_scan) return Error{"pan and scan belongs to Gemma-3; this model takes pictures whole"};
  return read_qwen3_vl_pixels(folder, config, picture, max_image_tokens);
}

}  // namespace poplens
