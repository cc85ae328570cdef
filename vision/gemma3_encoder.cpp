#include "vision/gemma3_encoder.h"

#include "vision/gemma3_processor.h"
#include "vision/image_decode.h"
#include "vision/siglip_tower.h"
#include "vision/staged_encoding.h"

namespace poplens {
namespace {

Result<PictureGeometry> measure_with(const SiglipSpec& spec, const Picture& picture) {
  POPLENS_TRY(shown, read_shown_size(picture));
  return PictureGeometry{.width = shown.width,
                         .height = shown.height,
                         .model_width = spec.image_size,
                         .model_height = spec.image_size,
                         .grid_rows = spec.tokens_side,
                         .grid_cols = spec.tokens_side};
}

class Gemma3Measurer final : public PictureMeasurer {
 public:
  Gemma3Measurer(const Gemma3Processor& processor, const SiglipSpec& spec) : processor_(processor), spec_(spec) {}
  Result<PictureGeometry> measure(const Picture& picture) const override { return measure_with(spec_, picture); }
  std::vector<PictureCrop> crops(const PictureGeometry& geometry) const override {
    return processor_.pan_and_scan(geometry.width, geometry.height);
  }

 private:
  Gemma3Processor processor_;
  SiglipSpec spec_;
};

class Gemma3Encoder final : public ImageEncoder {
 public:
  Gemma3Encoder(const Gemma3Processor& processor, SiglipTower tower)
      : processor_(processor), tower_(std::move(tower)) {}

  Result<PictureGeometry> measure(const Picture& picture) const override {
    return measure_with(tower_.spec(), picture);
  }

  std::vector<PictureCrop> crops(const PictureGeometry& geometry) const override {
    return processor_.pan_and_scan(geometry.width, geometry.height);
  }

  int64_t workspace_bytes(const PictureGeometry& geometry) const override {
    return pixel_bytes(geometry) + tower_.workspace_bytes();
  }

  Result<PictureFeatures> encode(const Picture& picture, const EncodeProgress& progress,
                                 const std::stop_token& stop) override {
    const EncodingSteps steps{.resize = [&](const Image& decoded) { return processor_.resize(decoded); },
                              .encode =
                                  [&](const Image& resized, const std::function<void(int)>& on_block) {
                                    const auto read_patches = [&](int64_t first, int64_t count, std::span<float> out) {
                                      processor_.patches(resized, first, count, out);
                                    };
                                    return tower_.run(
                                        read_patches, [&](int block, ConstMatrix) { on_block(block); }, stop);
                                  },
                              .blocks = tower_.spec().depth};
    return encode_in_stages(picture, steps, progress, stop);
  }

 private:
  Gemma3Processor processor_;
  SiglipTower tower_;
};

}  // namespace

Result<std::shared_ptr<PictureMeasurer>> make_gemma3_measurer(const std::filesystem::path& folder,
                                                              const ModelConfig& config) {
  POPLENS_TRY(spec, read_siglip_spec(*config.vision_config, config.decoder.hidden));
  POPLENS_TRY(processor, Gemma3Processor::from_folder(folder, spec));
  return std::shared_ptr<PictureMeasurer>(std::make_shared<Gemma3Measurer>(processor, spec));
}

Result<std::shared_ptr<ImageEncoder>> make_gemma3_encoder(const std::filesystem::path& folder,
                                                          const ModelConfig& config, const WeightSource& source,
                                                          std::shared_ptr<Backend> backend, DType activations) {
  POPLENS_TRY(spec, read_siglip_spec(*config.vision_config, config.decoder.hidden));
  POPLENS_TRY(processor, Gemma3Processor::from_folder(folder, spec));
  POPLENS_TRY(weights, load_siglip(spec, source, *backend));
  SiglipTower tower(spec, std::move(weights), std::move(backend), activations);
  return std::shared_ptr<ImageEncoder>(std::make_shared<Gemma3Encoder>(processor, std::move(tower)));
}

Result<PicturePixels> read_gemma3_pixels(const std::filesystem::path& folder, const ModelConfig& config,
                                         const Picture& picture, bool pan_and_scan) {
  POPLENS_TRY(spec, read_siglip_spec(*config.vision_config, config.decoder.hidden));
  POPLENS_TRY(processor, Gemma3Processor::from_folder(folder, spec));
  POPLENS_TRY(geometry, measure_with(spec, picture));
  POPLENS_TRY(image, decode_image(picture.bytes, picture.name));
  PicturePixels pixels{.geometry = geometry, .grid_h = spec.patches_side(), .grid_w = spec.patches_side()};
  pixels.values = processor.pixels(processor.resize(image));
  int64_t count = 1;
  if (pan_and_scan) {
    for (const PictureCrop& part : processor.pan_and_scan(image.width, image.height)) {
      const std::vector<float> part_pixels = processor.pixels(processor.resize(crop(image, part)));
      pixels.values.insert(pixels.values.end(), part_pixels.begin(), part_pixels.end());
      ++count;
    }
  }
  pixels.shape = {count, 3, spec.image_size, spec.image_size};
  return pixels;
}

}  // namespace poplens
