// Tiny Qwen3-VL checkpoints against transformers.
#include <QtTest>

#include "tests/parity/model_parity.h"
#include "vision/qwen3_vl_tower.h"

using namespace poplens;
using namespace poplens::test;

class QwenParity : public ModelParity {
  Q_OBJECT

 public:
  QwenParity() : ModelParity("qwen3_vl", {"tiny-tied", "tiny-untied"}) {}

 private:
  Result<void> run_tower(const ModelConfig& config, const WeightSource& source, const std::shared_ptr<Backend>& backend,
                         const std::vector<PicturePixels>& pictures, VisionStages& stages) const override {
    POPLENS_TRY(spec, read_qwen3_vl_vision_spec(*config.vision_config, config.decoder.hidden));
    POPLENS_TRY(weights, load_qwen3_vl_tower(spec, source, *backend));
    const Qwen3VlTower tower(spec, weights, backend, DType::f32);
    for (const PicturePixels& pixels : pictures) {
      const auto read = [&](int64_t first, int64_t count, std::span<float> out) {
        std::copy_n(pixels.values.begin() + first * pixels.shape.back(), count * pixels.shape.back(), out.begin());
      };
      const auto on_block = [&](int block, ConstMatrix x) { append(stages, stage_before_block(block), *backend, x); };
      POPLENS_TRY(features, tower.run(read, pixels.grid_h, pixels.grid_w, on_block, {}));
      append(stages, "vision.merger", *backend, features.main.view());
      for (size_t i = 0; i < features.deepstack.size(); ++i) {
        append(stages, "vision.deepstack." + std::to_string(i), *backend, features.deepstack[i].view());
      }
    }
    return {};
  }
};

QTEST_APPLESS_MAIN(QwenParity)
#include "tst_qwen3_vl_parity.moc"
