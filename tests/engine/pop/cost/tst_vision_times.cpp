// The tower's time by picture size, and what is asked of an encoder to measure it.
#include <cmath>

#include <QtTest>

#include "engine/pop/cost/measured_speed.h"

using namespace poplens;

namespace {

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
}

// Notes the pictures that it is shown; a soft token for 32 x 32 pixels, or as many for every picture.
class NotingEncoder : public ImageEncoder {
 public:
  explicit NotingEncoder(bool all_alike) : all_alike_(all_alike) {}

  Result<PictureGeometry> measure(const Picture& picture) const override {
    if (picture.bytes.size() < 54 || picture.bytes[0] != std::byte{'B'}) return Error{"not a bitmap"};
    const int side = static_cast<int>(std::sqrt(static_cast<double>(picture.bytes.size() - 54) / 3.0));
    const int grid = all_alike_ ? 16 : side / 32;
    return PictureGeometry{.width = side, .height = side, .grid_rows = grid, .grid_cols = grid};
  }
  int64_t workspace_bytes(const PictureGeometry&) const override { return 0; }
  Result<PictureFeatures> encode(const Picture& picture, const EncodeProgress&, const std::stop_token& stop) override {
    if (stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};
    sides.push_back(measure(picture)->width);
    return PictureFeatures{};
  }

  std::vector<int> sides;

 private:
  bool all_alike_;
};

}  // namespace

class VisionTimesTest : public QObject {
  Q_OBJECT

 private slots:
  void a_parabola_is_found_again() {
    const VisionTimes truth{.ms_per_token = 0.5, .ms_per_token_squared = 0.002};
    std::vector<PictureTime> pictures;
    for (const int64_t tokens : {64, 144, 400}) pictures.push_back({tokens, predicted_vision_ms(truth, tokens)});
    const VisionTimes fitted = fit_vision_times(pictures);
    QVERIFY(near(fitted.ms_per_token, 0.5) && near(fitted.ms_per_token_squared, 0.002));
    QVERIFY(near(predicted_vision_ms(fitted, 1024), 0.5 * 1024 + 0.002 * 1024 * 1024));
  }

  void one_size_alone_gives_a_line() {
    const VisionTimes fitted = fit_vision_times({{256, 64.0}});
    QCOMPARE(fitted.ms_per_token, 0.25);
    QCOMPARE(fitted.ms_per_token_squared, 0.0);
  }

  void pictures_that_grow_cheaper_are_no_parabola() {
    QCOMPARE(fit_vision_times({{10, 20.0}, {100, 100.0}}).ms_per_token_squared, 0.0);
  }

  void an_encoder_is_shown_growing_pictures() {
    NotingEncoder encoder(/*all_alike=*/false);
    QVERIFY(calibrate_vision(encoder, 1e6, {}).ok());
    QCOMPARE(encoder.sides.front(), 256);
    QCOMPARE(encoder.sides.back(), 640);
    QVERIFY(std::is_sorted(encoder.sides.begin(), encoder.sides.end()));
  }

  void where_all_cost_the_same_the_second_size_is_the_last() {
    NotingEncoder encoder(/*all_alike=*/true);
    QVERIFY(calibrate_vision(encoder, 1e6, {}).ok());
    QCOMPARE(encoder.sides.back(), 384);
  }

  void a_stop_ends_it() {
    NotingEncoder encoder(/*all_alike=*/false);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(calibrate_vision(encoder, 1e6, stop.get_token()).error().cancelled);
  }

  // Prefill of 100 tokens through two layers, two pictures and the head, by hand.
  void ttft_is_the_sum_of_its_parts() {
    DecoderSpec spec;
    spec.layers.resize(2);
    MeasuredSpeed speed{.prefill = {.layer = {{1, 2.0}, {101, 12.0}}, .keys = {{1, 0.1}, {101, 1.1}}},
                        .first_token_ms = 3.0,
                        .vision = VisionTimes{.ms_per_token = 0.5}};
    Prompt prompt;
    prompt.ids.resize(100);
    for (const TokenSpan span : {TokenSpan{5, 25}, TokenSpan{30, 70}}) {
      prompt.pictures.push_back(
          {.tokens = span, .geometry = {.grid_rows = 1, .grid_cols = static_cast<int>(span.end - span.begin)}});
    }
    const double full = 11.9 + (0.1 + 0.98) + 2.0;  // a layer on 100 rows; K/V of 99 and the last row in full
    QVERIFY(near(predicted_ttft_ms(speed, spec, extent_of(prompt, {}), {}), full + 3.0 + 0.5 * 60));
    const PopPlan plan = *PopPlan::suffix(2, 1, {Boundary::Kind::text, 1});
    const double pruned = 11.9 + (0.1 + 0.69) + 4.9;  // K/V of 70 rows, 30 of text in full
    QVERIFY(near(predicted_ttft_ms(speed, spec, extent_of(prompt, plan.boundary), plan), pruned + 3.0 + 0.5 * 60));
    speed.vision.reset();
    QVERIFY(near(predicted_ttft_ms(speed, spec, extent_of(prompt, plan.boundary), plan), pruned + 3.0));
  }
};

QTEST_APPLESS_MAIN(VisionTimesTest)
#include "tst_vision_times.moc"
