// The cost model's arithmetic.
#include <cmath>

#include <QtTest>

#include "engine/pop/cost/prefill_times.h"

using namespace poplens;

namespace {

// rows(m) = 1 + m / 100, K/V 0.1 + m / 1000, a pair 1e-6: numbers that can be added up by hand.
PrefillTimes by_hand(int64_t chunk_tokens) {
  return {.layer = {{1, 1.01}, {101, 2.01}, {1001, 11.01}},
          .keys = {{1, 0.101}, {1001, 1.101}},
          .attention_ms_per_pair = 1e-6,
          .chunk_tokens = chunk_tokens};
}

double layer(double rows, double visible) {
  return rows == 0.0 ? 0.0 : 1.0 + rows / 100.0 + 1e-6 * rows * visible;
}
double keys(double rows) {
  return rows == 0.0 ? 0.0 : 0.1 + rows / 1000.0;
}

DecoderSpec spec_of(int layers, int window = 0) {
  DecoderSpec spec;
  spec.layers.resize(static_cast<size_t>(layers));
  for (auto& one : spec.layers) one.window = window;
  return spec;
}

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::abs(b);
}

}  // namespace

class PrefillTimesTest : public QObject {
  Q_OBJECT

 private slots:
  void rows_between_and_beyond_what_was_measured() {
    const std::vector<RowTime> measured = {{1, 1.0}, {11, 2.0}, {111, 4.0}};
    QCOMPARE(time_of_rows(measured, 0), 0.0);
    QCOMPARE(time_of_rows(measured, 1), 1.0);
    QVERIFY(near(time_of_rows(measured, 6), 1.5));
    QVERIFY(near(time_of_rows(measured, 61), 3.0));
    QVERIFY(near(time_of_rows(measured, 211), 6.0));
    const std::vector<RowTime> disturbed = {{1, 3.0}, {11, 2.0}};
    QVERIFY(near(time_of_rows(disturbed, 6), 2.5));
    QCOMPARE(time_of_rows(disturbed, 1000), 2.0);
  }

  void full_prefill_spares_its_last_layer() {
    const double expected = 3 * layer(500, 250) + keys(499) + layer(1, 499.5);
    QVERIFY(
        near(predicted_prefill_ms(by_hand(1024), spec_of(4), {.tokens = 500, .boundary_begin = 499}, {}), expected));
  }

  void pruned_layers_cost_keys_and_the_boundary() {
    const PopPlan plan = *PopPlan::suffix(4, 2, {Boundary::Kind::count, 40});
    const double pruned = keys(460) + layer(40, 480), last = keys(499) + layer(1, 499.5);
    QVERIFY(near(predicted_prefill_ms(by_hand(1024), spec_of(4), {.tokens = 500, .boundary_begin = 460}, plan),
                 2 * layer(500, 250) + pruned + last));
  }

  // Nobody reads its output but the last position's, whatever the boundary is.
  void the_last_layer_costs_the_same_pruned_or_not() {
    const PromptExtent prompt{.tokens = 900, .boundary_begin = 100};
    QCOMPARE(predicted_prefill_ms(by_hand(400), spec_of(4), prompt, *PopPlan::suffix(4, 1, {Boundary::Kind::text, 1})),
             predicted_prefill_ms(by_hand(400), spec_of(4), prompt, {}));
  }

  void chunks_and_windows() {
    const PopPlan plan = *PopPlan::suffix(2, 1, {Boundary::Kind::last, 1});
    const PromptExtent prompt{.tokens = 900, .boundary_begin = 899};
    const double full = layer(400, 200) + layer(400, 600) + layer(100, 850);
    const double pruned = keys(400) + keys(400) + keys(99) + layer(1, 899.5);
    QVERIFY(near(predicted_prefill_ms(by_hand(400), spec_of(2), prompt, plan), full + pruned));
    const double windowed = layer(400, 200) + layer(400, 300) + layer(100, 300);
    const double pruned_windowed = keys(400) + keys(400) + keys(99) + layer(1, 300);
    QVERIFY(near(predicted_prefill_ms(by_hand(400), spec_of(2, 300), prompt, plan), windowed + pruned_windowed));
  }

  void positions_in_the_cache_cost_nothing_but_are_seen() {
    const PopPlan plan = *PopPlan::suffix(3, 2, {Boundary::Kind::count, 20});
    const PromptExtent prompt{.tokens = 900, .first = 300, .boundary_begin = 880};
    const double full = layer(400, 500) + layer(200, 800);
    const double pruned = keys(400) + keys(180) + layer(20, 890);
    const double last = keys(400) + keys(199) + layer(1, 899.5);
    QVERIFY(near(predicted_prefill_ms(by_hand(400), spec_of(3), prompt, plan), full + pruned + last));
  }

  void a_layers_time_is_without_its_attention() {
    std::vector<RowTime> layer = {{1, 2.0}, {100, 8.0}, {1000, 9.0}};
    take_off_attention(layer, 1e-4);
    QVERIFY(near(layer[0].ms, 2.0 - 5e-5));
    QVERIFY(near(layer[1].ms, 7.5));
    QVERIFY(near(layer[2].ms, 0.9));
  }
};

QTEST_APPLESS_MAIN(PrefillTimesTest)
#include "tst_prefill_times.moc"
