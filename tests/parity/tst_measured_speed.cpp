// What is measured of a loaded model, and what a time to the first token is told from: prefill, first token and, where
// it reads pictures, the vision tower.
#include <functional>

#include <QTemporaryDir>
#include <QtTest>

#include "engine/pop/cost/measured_speed.h"
#include "tests/parity/session_harness.h"
#include "vision/picture_encoder.h"

using namespace poplens;
using namespace poplens::test;

namespace {

MeasuredSpeed speed_of_folder(const std::string& folder) {
  const auto model = load_model(test_data("data/" + folder), {}, make_image_encoder);
  if (!model.ok()) qFatal("%s", model.error().message.c_str());
  std::optional<SquarePictures> pictures;
  if (model->encoder != nullptr) pictures = pictures_for(*model->encoder);
  const auto speed = measure_speed(*model->decoder, pictures, 256, {});
  if (!speed.ok()) qFatal("%s", speed.error().message.c_str());
  return *speed;
}

}  // namespace

class MeasuredSpeedTest : public QObject {
  Q_OBJECT

 private slots:
  // Pictures of any size: the attention that grows with the square of it is measured apart.
  void pictures_of_any_size() {
    const MeasuredSpeed speed = speed_of_folder("qwen3_vl/tiny-tied");
    QVERIFY(speed.first_token_ms > 0.0);
    QVERIFY(speed.vision && speed.vision->ms_per_token >= 0.0 && speed.vision->ms_per_token_squared > 0.0);
  }

  void pictures_of_one_size() {
    const MeasuredSpeed speed = speed_of_folder("gemma3/tiny-v5");
    QVERIFY(speed.vision && speed.vision->ms_per_token > 0.0);
    QCOMPARE(speed.vision->ms_per_token_squared, 0.0);
  }

  void no_pictures() {
    const MeasuredSpeed speed = speed_of_folder("gemma3_text/tiny-v4");
    QVERIFY(!speed.vision);
    QVERIFY(speed.prefill.layer.size() >= 2);
  }

  // What is kept tells nothing of the tower (it was damaged, or measured without one), or of another chunk.
  void what_is_kept_but_not_whole_is_measured_again() {
    QTemporaryDir cache;
    qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
    const auto model = load_model(test_data("data/qwen3_vl/tiny-tied"), {}, make_image_encoder);
    QVERIFY(model.ok());
    const auto measured = speed_of(*model, 256, {});
    QVERIFY(measured.ok());
    const std::string key = speed_key(*model, fingerprint_of(*model), 256);
    constexpr double kMarked = 12345.0;
    const auto first_token_of_kept = [&](const std::function<void(MeasuredSpeed&)>& change) {
      MeasuredSpeed kept = *measured;
      kept.first_token_ms = kMarked;
      change(kept);
      if (!keep_speed(*default_speed_file(), key, kept).ok()) return 0.0;
      const auto speed = speed_of(*model, 256, {});
      return speed.ok() && speed->vision ? speed->first_token_ms : 0.0;
    };
    QCOMPARE(first_token_of_kept([](MeasuredSpeed&) {}), kMarked);
    // Another number format is another speed.
    const DType format = model->decoder->activations() == DType::f32 ? DType::bf16 : DType::f32;
    const auto other = load_model(test_data("data/qwen3_vl/tiny-tied"), {.activations = format}, make_image_encoder);
    QVERIFY(other.ok());
    QVERIFY(speed_key(*other, fingerprint_of(*model), 256) != key);
    const double without_tower = first_token_of_kept([](MeasuredSpeed& kept) { kept.vision.reset(); });
    QVERIFY(without_tower > 0.0 && without_tower < kMarked);
    const double other_chunk = first_token_of_kept([](MeasuredSpeed& kept) { kept.prefill.chunk_tokens = 1; });
    QVERIFY(other_chunk > 0.0 && other_chunk < kMarked);
    qunsetenv("XDG_CACHE_HOME");
  }
};

QTEST_APPLESS_MAIN(MeasuredSpeedTest)
#include "tst_measured_speed.moc"
