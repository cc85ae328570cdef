#include "vision/picture_encoder.h"

#include <chrono>

#include "vision/image_decode.h"
#include "vision/image_format.h"

namespace poplens {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Result<PictureGeometry> measure_with(const Qwen3VlProcessor& processor, const Picture& picture) {
  POPLENS_TRY(info, read_image_info(picture.bytes, picture.name));
  auto fitted = processor.geometry(info.oriented_width(), info.oriented_height());
  if (!fitted.ok()) return Error{picture.name + ": " + fitted.error().message};
  const int merge = processor.shape().merge_size;
  return PictureGeometry{.width = info.oriented_width(),
                         .height = info.oriented_height(),
                         .model_width = fitted->width,
                         .model_height = fitted->height,
                         .grid_rows = fitted->grid_h / merge,
                         .grid_cols = fitted->grid_w / merge};
}

Result<Qwen3VlProcessor> read_processor(const std::filesystem::path& folder, const ModelConfig& config,
                                        std::optional<int> max_image_tokens) {
  POPLENS_TRY(spec, read_qwen3_vl_vision_spec(*config.vision_config, config.decoder.hidden));
  POPLENS_TRY(processor,
              Qwen3VlProcessor::from_folder(folder, {spec.patch_size, spec.temporal_patch_size, spec.merge_size}));
  if (max_image_tokens) processor.set_max_tokens(*max_image_tokens);
  return processor;
}

class Qwen3VlMeasurer final : public PictureMeasurer {
 public:
  explicit Qwen3VlMeasurer(Qwen3VlProcessor processor) : processor_(std::move(processor)) {}
  Result<PictureGeometry> measure(const Picture& picture) const override { return measure_with(processor_, picture); }

 private:
  Qwen3VlProcessor processor_;
};

}  // namespace

Result<std::shared_ptr<PictureMeasurer>> make_picture_measurer(const std::filesystem::path& folder,
                                                               const ModelConfig& config,
                                                               std::optional<int> max_image_tokens) {
  if (!config.vision_config) return std::shared_ptr<PictureMeasurer>();
  POPLENS_TRY(processor, read_processor(folder, config, max_image_tokens));
  return std::shared_ptr<PictureMeasurer>(std::make_shared<Qwen3VlMeasurer>(std::move(processor)));
}

Result<std::shared_ptr<ImageEncoder>> make_image_encoder(const std::filesystem::path& folder, const ModelConfig& config,
                                                         const WeightSource& source, std::shared_ptr<Backend> backend,
                                                         DType activations, std::optional<int> max_image_tokens) {
  POPLENS_TRY(processor, read_processor(folder, config, max_image_tokens));
  POPLENS_TRY(spec, read_qwen3_vl_vision_spec(*config.vision_config, config.decoder.hidden));
  POPLENS_TRY(weights, load_qwen3_vl_tower(spec, source, *backend));
  Qwen3VlTower tower(std::move(spec), std::move(weights), std::move(backend), activations);
  return std::shared_ptr<ImageEncoder>(std::make_shared<Qwen3VlEncoder>(std::move(processor), std::move(tower)));
}

Result<PicturePixels> read_picture_pixels(const std::filesystem::path& folder, const ModelConfig& config,
                                          const Picture& picture, std::optional<int> max_image_tokens) {
  if (!config.vision_config) return Error{picture.name + ": this model reads no pictures"};
  POPLENS_TRY(processor, read_processor(folder, config, max_image_tokens));
  POPLENS_TRY(geometry, measure_with(processor, picture));
  POPLENS_TRY(fitted, processor.geometry(geometry.width, geometry.height));
  POPLENS_TRY(image, decode_image(picture.bytes, picture.name));
  return PicturePixels{.geometry = geometry,
                       .grid_h = fitted.grid_h,
                       .grid_w = fitted.grid_w,
                       .values_per_patch = processor.values_per_patch(),
                       .values = processor.patches(processor.resize(image, fitted))};
}

Result<PictureGeometry> Qwen3VlEncoder::measure(const Picture& picture) const {
  return measure_with(processor_, picture);
}

int64_t Qwen3VlEncoder::workspace_bytes(const PictureGeometry& geometry) const {
  const int merge = processor_.shape().merge_size;
  const int64_t decoded = int64_t{3} * geometry.width * geometry.height;
  return decoded + tower_.workspace_bytes(geometry.soft_tokens() * merge * merge);
}

Result<PictureFeatures> Qwen3VlEncoder::encode(const Picture& picture, const EncodeProgress& progress,
                                               const std::stop_token& stop) {
  POPLENS_TRY(geometry, measure(picture));
  POPLENS_TRY(fitted, processor_.geometry(geometry.width, geometry.height));

  auto start = Clock::now();
  progress.started(Stage::image_decode);
  POPLENS_TRY(image, decode_image(picture.bytes, picture.name));
  progress.finished(Stage::image_decode, ms_since(start));
  if (stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};

  start = Clock::now();
  progress.started(Stage::preprocess);
  const Image resized = processor_.resize(image, fitted);
  progress.finished(Stage::preprocess, ms_since(start));

  start = Clock::now();
  progress.started(Stage::vision);
  const auto read_patches = [&](int64_t first, int64_t count, std::span<float> out) {
    processor_.patches(resized, static_cast<int>(first), static_cast<int>(count), out);
  };
  const auto on_block = [&](int block, ConstMatrix) { progress.progress(Stage::vision, block, tower_.spec().depth); };
  POPLENS_TRY(features, tower_.run(read_patches, fitted.grid_h, fitted.grid_w, on_block, stop));
  progress.finished(Stage::vision, ms_since(start));
  return features;
}

}  // namespace poplens
