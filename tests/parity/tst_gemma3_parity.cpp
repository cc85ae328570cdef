// Tiny Gemma-3 checkpoints with pictures against transformers.
#include <QtTest>

#include "tests/parity/model_parity.h"
#include "vision/siglip_tower.h"

using namespace poplens;
using namespace poplens::test;

namespace {

// Rows of patches (channel, y, x) of an image [3, side, side].
PatchReader patch_reader(const std::vector<float>& image, const SiglipSpec& spec) {
  return [&image, spec](int64_t first, int64_t count, std::span<float> out) {
    const int64_t size = spec.patch_size;
    const int64_t side = spec.image_size;
    auto next = out.begin();
    for (int64_t patch = first; patch < first + count; ++patch) {
      const int64_t top = patch / spec.patches_side() * size;
      const int64_t left = patch % spec.patches_side() * size;
      for (int64_t channel = 0; channel < 3; ++channel) {
        for (int64_t y = 0; y < size; ++y) {
          const auto row = image.begin() + (channel * side + top + y) * side + left;
          next = std::copy_n(row, size, next);
        }
      }
    }
  };
}

}  // namespace

class Gemma3Parity : public ModelParity {
  Q_OBJECT

 public:
  Gemma3Parity() : ModelParity("gemma3", {"tiny-v4", "tiny-v5"}) {}

 private:
  Result<void> run_tower(const ModelConfig& config, const WeightSource& source, const std::shared_ptr<Backend>& backend,
                         const std::vector<PicturePixels>& pictures, VisionStages& stages) const override {
    POPLENS_TRY(spec, read_siglip_spec(*config.vision_config, config.decoder.hidden));
    POPLENS_TRY(weights, load_siglip(spec, source, *backend));
    const SiglipTower tower(spec, std::move(weights), backend, DType::f32);
    for (const PicturePixels& pixels : pictures) {
      const auto on_block = [&](int block, ConstMatrix x) { append(stages, stage_before_block(block), *backend, x); };
      POPLENS_TRY(features, tower.run(patch_reader(pixels.values, spec), on_block, {}));
      append(stages, "vision.projector", *backend, features.main.view());
    }
    return {};
  }
};

QTEST_APPLESS_MAIN(Gemma3Parity)
#include "tst_gemma3_parity.moc"
