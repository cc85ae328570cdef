// Timings of single layers of a real decoder: what they run, and what they find in its memory.
#include <QtTest>

#include "engine/pop/cost/calibrate.h"
#include "tests/engine/session/random_decoder.h"

using namespace poplens;
using namespace poplens::test;

namespace {

std::vector<float> residual_of(const Decoder& decoder) {
  std::vector<float> values(static_cast<size_t>(3 * decoder.spec().hidden));
  decoder.residual(0, 3, values);
  return values;
}

bool all_zero(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return value == 0.0F; });
}

}  // namespace

class LayerTimerTest : public QObject {
  Q_OBJECT

 private slots:
  void layers_and_keys_take_their_time() {
    const auto decoder = random_decoder({});
    DecoderTimer timer(*decoder, {});
    QVERIFY(timer.reserve(512).ok());
    for (const int64_t rows : {1, 32, 512}) {
      QVERIFY(*timer.layer_ms(rows) > 0.0);
      QVERIFY(*timer.keys_ms(rows) > 0.0);
    }
    QVERIFY(*timer.attention_ms(1920, 128) > 0.0);
    QVERIFY(*timer.attention_ms(0, 1) > 0.0);
    QVERIFY(timer.elapsed_ms() > 0.0);
  }

  // Two layers, behind one that finds nothing in the caches unless the rows are many; one alone where it takes long.
  void what_a_timing_takes() {
    const auto decoder = random_decoder({.layers = 6});
    const DecoderTimer timer(*decoder, {});
    QCOMPARE(timer.layer_pass_ms(128, 10.0), 30.0);
    QCOMPARE(timer.layer_pass_ms(512, 10.0), 20.0);
    QCOMPARE(timer.layer_pass_ms(128, 100.0), 200.0);
    QCOMPARE(timer.layer_pass_ms(512, 100.0), 100.0);
    QCOMPARE(timer.keys_pass_ms(10.0), 20.0);
  }

  // After embedding there is something in the residual stream; the timer leaves nothing there, and a timing its own.
  void memory_is_written_to_before_it_is_timed() {
    const auto decoder = random_decoder({});
    QVERIFY(decoder->reserve(64).ok());
    const std::vector<int32_t> ids = {1, 2, 3};
    const std::vector<RopePosition> positions = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
    decoder->embed({.ids = ids, .positions = positions});
    QVERIFY(!all_zero(residual_of(*decoder)));
    DecoderTimer timer(*decoder, {});
    QVERIFY(timer.reserve(64).ok());
    QVERIFY(all_zero(residual_of(*decoder)));
    QVERIFY(timer.layer_ms(32).ok());
    QVERIFY(!all_zero(residual_of(*decoder)));
  }

  void memory_that_it_takes() {
    const auto decoder = random_decoder({});
    QCOMPARE(DecoderTimer::bytes(*decoder, 512),
             decoder->workspace_bytes(512) + KvCache::bytes(decoder->spec(), DType::f32, 512));
  }

  void a_decoder_of_one_layer() {
    const auto decoder = random_decoder({.layers = 1, .deepstack_layers = 0});
    DecoderTimer timer(*decoder, {});
    QVERIFY(timer.reserve(64).ok());
    QVERIFY(*timer.layer_ms(32) > 0.0);
    QVERIFY(*timer.keys_ms(32) > 0.0);
    QCOMPARE(timer.layer_pass_ms(32, 10.0), 20.0);
  }

  void a_stop_ends_a_timing() {
    const auto decoder = random_decoder({});
    std::stop_source stop;
    DecoderTimer timer(*decoder, stop.get_token());
    QVERIFY(timer.reserve(64).ok());
    QVERIFY(timer.layer_ms(32).ok());
    stop.request_stop();
    QVERIFY(timer.layer_ms(32).error().cancelled);
    QVERIFY(timer.keys_ms(32).error().cancelled);
    QVERIFY(timer.attention_ms(0, 32).error().cancelled);
  }

  void a_calibration_of_it() {
    const auto decoder = random_decoder({});
    const auto times = calibrate_prefill(*decoder, 512, {}, {});
    QVERIFY(times.ok());
    QVERIFY(times->layer.size() >= 2 && times->keys.size() >= 2);
    QVERIFY(times->layer.back().rows <= 512 && times->keys.back().rows <= 512);
    for (const auto* curve : {&times->layer, &times->keys}) {
      for (const RowTime& time : *curve) QVERIFY(time.ms > 0.0);
    }
    // A model that holds fewer positions than would be measured.
    const auto small = calibrate_prefill(*random_decoder({.context = 24}), 512, {}, {});
    QVERIFY(small.ok() && small->layer.size() == 2 && small->layer.back().rows == 24);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = calibrate_prefill(*decoder, 512, {}, stop.get_token());
    QVERIFY(!stopped.ok() && stopped.error().cancelled);
    QVERIFY(!calibrate_prefill(*decoder, 512, {.memory_bytes = 1}, {}).ok());
  }
};

QTEST_APPLESS_MAIN(LayerTimerTest)
#include "tst_layer_timer.moc"
