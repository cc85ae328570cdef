#include "vision/qwen3_vl_encoder.h"

#include "vision/image_decode.h"
#include "vision/staged_encoding.h"

namespace poplens {
namespace {

Result<Qwen3VlProcessor> read_processor(const std::filesystem::path& folder, const ModelConfig& config,
                                        std::optional<int> max_image_tokens) {
  POPLENS_TRY(spec, read_qwen3_vl_vision_spec(*config.vision_config, config.decoder.hidden));
  POPLENS_TRY(processor,
              Qwen3VlProcessor::from_folder(folder, {spec.patch_size, spec.temporal_patch_size, spec.merge_size}));
  if (max_image_tokens) processor.set_max_tokens(*max_image_tokens);
  return processor;
}

Result<Qwen3VlProcessor::Geometry> fit(const Qwen3VlProcessor& settings, const Picture& picture,
                                       const ShownSize& shown) {
  Qwen3VlProcessor processor = settings;
  if (picture.max_tokens) processor.set_max_tokens(*picture.max_tokens);
  auto fitted = processor.geometry(shown.width, shown.height);
  if (!fitted.ok()) return Error{picture.name + ": " + fitted.error().message};
  return fitted;
}

Result<PictureGeometry> measure_with(const Qwen3VlProcessor& processor, const Picture& picture) {
  POPLENS_TRY(shown, read_shown_size(picture));
  POPLENS_TRY(fitted, fit(processor, picture, shown));
  const int merge = processor.shape().merge_size;
  return PictureGeometry{.width = shown.width,
                         .height = shown.height,
                         .model_width = fitted.width,
                         .model_height = fitted.height,
                         .grid_rows = fitted.grid_h / merge,
                         .grid_cols = fitted.grid_w / merge};
}

class Qwen3VlMeasurer final : public PictureMeasurer {
 public:
  explicit Qwen3VlMeasurer(const Qwen3VlProcessor& processor) : processor_(processor) {}
  Result<PictureGeometry> measure(const Picture& picture) const override { return measure_with(processor_, picture); }

 private:
  Qwen3VlProcessor processor_;
};

class Qwen3VlEncoder final : public ImageEncoder {
 public:
  Qwen3VlEncoder(const Qwen3VlProcessor& processor, Qwen3VlTower tower)
      : processor_(processor), tower_(std::move(tower)) {}

  Result<PictureGeometry> measure(const Picture& picture) const override { return measure_with(processor_, picture); }

  int64_t workspace_bytes(const PictureGeometry& geometry) const override {
    const int merge = processor_.shape().merge_size;
    return pixel_bytes(geometry) + tower_.workspace_bytes(geometry.soft_tokens() * merge * merge);
  }

  Result<double> attention_ms(int64_t rows, int64_t tokens) override { return tower_.attention_ms(rows, tokens); }

  Result<PictureFeatures> encode(const Picture& picture, const EncodeProgress& progress,
                                 const std::stop_token& stop) override {
    POPLENS_TRY(shown, read_shown_size(picture));
    POPLENS_TRY(fitted, fit(processor_, picture, shown));
    const EncodingSteps steps{
        .resize = [&](const Image& decoded) { return processor_.resize(decoded, fitted); },
        .encode =
            [&](const Image& resized, const std::function<void(int)>& on_block) {
              const auto read_patches = [&](int64_t first, int64_t count, std::span<float> out) {
                processor_.patches(resized, static_cast<int>(first), static_cast<int>(count), out);
              };
              return tower_.run(
                  read_patches, fitted.grid_h, fitted.grid_w, [&](int block, ConstMatrix) { on_block(block); }, stop);
            },
        .blocks = tower_.spec().depth};
    return encode_in_stages(picture, steps, progress, stop);
  }

 private:
  Qwen3VlProcessor processor_;
  Qwen3VlTower tower_;
};

}  // namespace

Result<std::shared_ptr<PictureMeasurer>> make_qwen3_vl_measurer(const std::filesystem::path& folder,
                                                                const ModelConfig& config,
                                                                std::optional<int> max_image_tokens) {
  POPLENS_TRY(processor, read_processor(folder, config, max_image_tokens));
  return std::shared_ptr<PictureMeasurer>(std::make_shared<Qwen3VlMeasurer>(processor));
}

Result<std::shared_ptr<ImageEncoder>> make_qwen3_vl_encoder(const std::filesystem::path& folder,
                                                            const ModelConfig& config, const WeightSource& source,
                                                            std::shared_ptr<Backend> backend, DType activations,
                                                            std::optional<int> max_image_tokens) {
  POPLENS_TRY(processor, read_processor(folder, config, max_image_tokens));
  POPLENS_TRY(spec, read_qwen3_vl_vision_spec(*config.vision_config, config.decoder.hidden));
  POPLENS_TRY(weights, load_qwen3_vl_tower(spec, source, *backend));
  Qwen3VlTower tower(std::move(spec), std::move(weights), std::move(backend), activations);
  return std::shared_ptr<ImageEncoder>(std::make_shared<Qwen3VlEncoder>(processor, std::move(tower)));
}

Result<PicturePixels> read_qwen3_vl_pixels(const std::filesystem::path& folder, const ModelConfig& config,
                                           const Picture& picture, std::optional<int> max_image_tokens) {
  POPLENS_TRY(processor, read_processor(folder, config, max_image_tokens));
  POPLENS_TRY(geometry, measure_with(processor, picture));
  POPLENS_TRY(fitted, processor.geometry(geometry.width, geometry.height));
  POPLENS_TRY(image, decode_image(picture.bytes, picture.name));
  PicturePixels pixels{.geometry = geometry, .grid_h = fitted.grid_h, .grid_w = fitted.grid_w};
  pixels.values = processor.patches(processor.resize(image, fitted));
  pixels.shape = {int64_t{fitted.grid_h} * fitted.grid_w, processor.values_per_patch()};
  return pixels;
}

}  // namespace poplens
