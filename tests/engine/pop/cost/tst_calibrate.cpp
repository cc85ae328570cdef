// What a calibration makes of a machine whose layers take what a formula says, some of them disturbed.
#include <cmath>
#include <map>
#include <optional>

#include <QtTest>

#include "engine/pop/cost/calibrate.h"

using namespace poplens;

namespace {

constexpr double kPair = 2e-5;
constexpr int kKeyLayers = 20;

double layer_formula(int64_t rows) {
  return 2.0 + 0.1 * static_cast<double>(rows);
}
double keys_formula(int64_t rows) {
  return 0.05 + 0.004 * static_cast<double>(rows);
}

// Time passes on it as its timings say. Each timing is three layers of few rows and one of many, as on a large model.
class FormulaTimer : public LayerTimer {
 public:
  // By what the first timings of so many rows are dearer than they should be.
  std::map<int64_t, std::vector<double>> layers_disturbed, keys_disturbed;
  std::vector<double> attention_disturbed;
  std::map<int64_t, int> layers_timed, keys_timed;
  int attention_timed = 0;
  std::optional<Error> error;

  Result<double> layer_ms(int64_t rows) override {
    if (error) return *error;
    const double ms = with_attention(rows) * disturbance(layers_disturbed[rows], layers_timed[rows]++);
    now_ += layer_pass_ms(rows, ms);
    return ms;
  }
  Result<double> keys_ms(int64_t rows) override {
    const double ms = keys_formula(rows) * disturbance(keys_disturbed[rows], keys_timed[rows]++);
    now_ += keys_pass_ms(ms);
    return ms;
  }
  Result<double> attention_ms(int64_t first, int64_t rows) override {
    const double ms = attention(first, rows) * disturbance(attention_disturbed, attention_timed++);
    now_ += ms;
    return ms;
  }
  double layer_pass_ms(int64_t rows, double layer_ms) const override { return (rows < 512 ? 3 : 1) * layer_ms; }
  double keys_pass_ms(double keys_ms) const override { return kKeyLayers * keys_ms; }
  double elapsed_ms() const override { return now_; }

  static double with_attention(int64_t rows) { return layer_formula(rows) + attention(0, rows); }

 private:
  // A row sees all before those it comes with, and half of those, as the cost model has it.
  static double attention(int64_t first, int64_t rows) {
    const auto count = static_cast<double>(rows);
    return kPair * count * (static_cast<double>(first) + count / 2.0);
  }
  static double disturbance(const std::vector<double>& factors, int timed) {
    return timed < static_cast<int>(factors.size()) ? factors[static_cast<size_t>(timed)] : 1.0;
  }

  double now_ = 0.0;
};

constexpr CalibrationLimits kUnlimited{.rows_ms = 1e9, .keys_ms = 1e9};

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::abs(b);
}

std::vector<int64_t> rows_of(const std::vector<RowTime>& curve) {
  std::vector<int64_t> rows;
  for (const RowTime& time : curve) rows.push_back(time.rows);
  return rows;
}

bool follow(const std::vector<RowTime>& curve, double (*formula)(int64_t)) {
  return std::all_of(curve.begin(), curve.end(),
                     [&](const RowTime& time) { return near(time.ms, formula(time.rows)); });
}

using Rows = std::vector<int64_t>;
const Rows kAllRows = {1, 32, 128, 512, 1024};

PrefillTimes calibrated(FormulaTimer& timer, int64_t chunk_tokens = 1024,
                        const CalibrationLimits& limits = kUnlimited) {
  return *calibrate_prefill(timer, 1024, 2048, chunk_tokens, limits);
}

// What an undisturbed calibration has taken once all numbers of rows below 512 are timed, K/V at two of them.
double before_512() {
  FormulaTimer timer;
  calibrated(timer, 128, {.rows_ms = 1e9, .keys_ms = 0.0});
  return timer.elapsed_ms();
}
double pass_of_512() {
  return FormulaTimer::with_attention(512);
}

}  // namespace

class CalibrateTest : public QObject {
  Q_OBJECT

 private slots:
  void an_undisturbed_machine_is_told_exactly() {
    FormulaTimer timer;
    const PrefillTimes times = calibrated(timer, 4096);
    QCOMPARE(rows_of(times.layer), kAllRows);
    QCOMPARE(rows_of(times.keys), kAllRows);
    QVERIFY(follow(times.layer, layer_formula));
    QVERIFY(follow(times.keys, keys_formula));
    QVERIFY(near(times.attention_ms_per_pair, kPair));
    QCOMPARE(times.chunk_tokens, 4096);
    // What takes long is timed once.
    QCOMPARE(timer.layers_timed, (std::map<int64_t, int>{{1, 2}, {32, 2}, {128, 1}, {512, 1}, {1024, 1}}));
    QCOMPARE(timer.keys_timed, (std::map<int64_t, int>{{1, 2}, {32, 2}, {128, 2}, {512, 1}, {1024, 1}}));
  }

  // No prefill multiplies more rows at once.
  void no_more_rows_than_a_chunk() {
    FormulaTimer whole, part, few;
    QCOMPARE(rows_of(calibrated(whole, 512).layer), (Rows{1, 32, 128, 512}));
    QCOMPARE(rows_of(calibrated(part, 300).layer), (Rows{1, 32, 128}));
    QCOMPARE(part.layers_timed.count(512) + part.keys_timed.count(512), size_t{0});
    QCOMPARE(rows_of(calibrated(few, 4).layer), (Rows{1, 32}));
  }

  void no_more_rows_than_there_is_room_for() {
    FormulaTimer timer;
    const auto times = calibrate_prefill(timer, 24, 24, 1024, kUnlimited);
    QCOMPARE(rows_of(times->layer), (Rows{1, 24}));
    QVERIFY(near(times->attention_ms_per_pair, kPair));
    QVERIFY(!calibrate_prefill(timer, 1, 24, 1024, kUnlimited).ok());
  }

  void what_was_disturbed_is_timed_again() {
    FormulaTimer timer;
    timer.layers_disturbed = {{1, {4.0}}, {32, {3.0}}, {128, {1.4, 1.2}}, {512, {3.0, 1.2}}};
    timer.keys_disturbed = {{1, {5.0}}, {32, {7.0, 2.0}}, {128, {9.0}}, {512, {1.5}}, {1024, {1.2, 1.1}}};
    timer.attention_disturbed = {2.0};
    const PrefillTimes times = calibrated(timer);
    QCOMPARE(rows_of(times.layer), kAllRows);
    QVERIFY(follow(times.layer, layer_formula));
    QVERIFY(follow(times.keys, keys_formula));
    QVERIFY(near(times.attention_ms_per_pair, kPair));
    QCOMPARE(timer.layers_timed[512], 3);
    QCOMPARE(timer.layers_timed[1024], 1);
    QCOMPARE(timer.keys_timed[1024], 3);
  }

  void the_last_is_held_against_the_one_before() {
    FormulaTimer timer;
    timer.layers_disturbed = {{1024, {1.2}}};
    QVERIFY(follow(calibrated(timer).layer, layer_formula));
    QCOMPARE(timer.layers_timed[1024], 2);
  }

  // Many rows between few that are disturbed and more that are not look cheap; the few look dear.
  void few_rows_are_held_against_many() {
    FormulaTimer timer;
    timer.layers_disturbed = {{32, {1.6, 1.6}}, {128, {1.6}}};
    timer.keys_disturbed = {{32, {1.6, 1.6}}, {128, {1.6, 1.6}}};
    const PrefillTimes times = calibrated(timer);
    QVERIFY(follow(times.layer, layer_formula));
    QVERIFY(follow(times.keys, keys_formula));
  }

  // A machine may take so much longer for many rows: then every timing says so.
  void dear_in_every_timing_is_believed() {
    FormulaTimer timer;
    timer.layers_disturbed = {{512, {1.5, 1.5, 1.5, 1.5}}};
    const PrefillTimes times = calibrated(timer);
    QCOMPARE(rows_of(times.layer), kAllRows);
    QCOMPARE(timer.layers_timed[512], 3);
    QVERIFY(times.layer[3].ms > 1.45 * layer_formula(512));
  }

  void dear_in_the_only_timing_is_left_out() {
    // Time for one timing of 512 rows as it should be, and for none once that has been disturbed.
    const CalibrationLimits limits{.rows_ms = before_512() + 1.1 * pass_of_512(), .keys_ms = 0.0};
    FormulaTimer much, slightly;
    much.layers_disturbed = {{512, {2.0}}};
    slightly.layers_disturbed = {{512, {1.2}}};
    QCOMPARE(rows_of(calibrated(much, 1024, limits).layer), (Rows{1, 32, 128}));
    QCOMPARE(rows_of(calibrated(slightly, 1024, limits).layer), (Rows{1, 32, 128, 512}));
    QCOMPARE(much.layers_timed[512], 1);
    QCOMPARE(slightly.layers_timed[512], 1);
  }

  // What a disturbed timing took says nothing of what the next one takes.
  void time_for_another_is_told_by_other_rows() {
    FormulaTimer timer;
    timer.layers_disturbed = {{512, {3.0}}};
    const auto times = calibrated(timer, 512, {.rows_ms = before_512() + 4.3 * pass_of_512(), .keys_ms = 0.0});
    QCOMPARE(timer.layers_timed[512], 2);
    QVERIFY(near(times.layer.back().ms, layer_formula(512)));
  }

  void without_time_two_points_are_left() {
    FormulaTimer timer;
    const auto times = calibrated(timer, 1024, {.rows_ms = 0.0});
    QCOMPARE(rows_of(times.layer), (Rows{1, 32}));
    QCOMPARE(rows_of(times.keys), (Rows{1, 32}));
    QCOMPARE(timer.layers_timed, (std::map<int64_t, int>{{1, 1}, {32, 1}}));
    QVERIFY(near(times.attention_ms_per_pair, kPair));
  }

  void keys_of_many_rows_that_take_too_long_are_left_out() {
    FormulaTimer timer;
    const auto times = calibrated(timer, 1024, {.rows_ms = 1e9, .keys_ms = 30.0});
    QCOMPARE(rows_of(times.keys), (Rows{1, 32, 128}));
    QCOMPARE(rows_of(times.layer), kAllRows);
  }

  void an_error_ends_it() {
    FormulaTimer timer;
    timer.error = Error{"stopped"};
    QCOMPARE(calibrate_prefill(timer, 1024, 2048, 1024, {}).error().message, std::string("stopped"));
  }
};

QTEST_APPLESS_MAIN(CalibrateTest)
#include "tst_calibrate.moc"
