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

// A row sees half of those it comes with, as the cost model has it, and all before, or as far as the window reaches.
double visible(int64_t first, int64_t rows, int64_t window) {
  const double all = static_cast<double>(first) + static_cast<double>(rows) / 2.0;
  return window > 0 ? std::min(all, static_cast<double>(window)) : all;
}

// Time passes on it as its timings say. Each timing is three layers of few rows and one of many, as on a large model.
class FormulaTimer : public LayerTimer {
 public:
  explicit FormulaTimer(int64_t window = 0, double slower = 1.0) : window_(window), slower_(slower) {}

  // By what the first timings of so many rows, with nothing before them, are dearer than they should be.
  std::map<int64_t, std::vector<double>> layers_disturbed, keys_disturbed;
  std::vector<double> far_disturbed;
  std::map<int64_t, int> layers_timed, keys_timed;
  std::vector<int64_t> far_rows;
  std::optional<Error> error;

  Result<double> layer_ms(int64_t first, int64_t rows) override {
    if (error) return *error;
    const auto count = static_cast<double>(rows);
    const bool far = first > 0;
    const auto timed = static_cast<size_t>(far ? static_cast<int>(far_rows.size()) : layers_timed[rows]++);
    if (far) far_rows.push_back(rows);
    const double ms = slower_ * (layer_formula(rows) + kPair * count * visible(first, rows, window_)) *
                      disturbance(far ? far_disturbed : layers_disturbed[rows], timed);
    now_ += layer_pass_ms(rows, ms);
    return ms;
  }
  Result<double> keys_ms(int64_t rows) override {
    const auto timed = static_cast<size_t>(keys_timed[rows]++);
    const double ms = slower_ * keys_formula(rows) * disturbance(keys_disturbed[rows], timed);
    now_ += keys_pass_ms(ms);
    return ms;
  }
  double layer_pass_ms(int64_t rows, double layer_ms) const override { return (rows < 512 ? 3 : 1) * layer_ms; }
  double keys_pass_ms(double keys_ms) const override { return kKeyLayers * keys_ms; }
  double elapsed_ms() const override { return now_; }

 private:
  static double disturbance(const std::vector<double>& factors, size_t timed) {
    return timed < factors.size() ? factors[timed] : 1.0;
  }

  int64_t window_;
  double slower_;
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

// Measured with unlimited time and 2,048 positions.
PrefillTimes calibrated(FormulaTimer& timer, int64_t chunk_tokens = 1024) {
  return *calibrate_prefill(timer, 2048, 0, chunk_tokens, kUnlimited);
}

// What an undisturbed calibration has taken when it comes to 512 rows, K/V of no more than two points.
double before_512() {
  FormulaTimer timer;
  static_cast<void>(calibrate_prefill(timer, 2048, 0, 128, {.rows_ms = 1e9, .keys_ms = 0.0}));
  return timer.elapsed_ms();
}
double pass_of_512() {
  return layer_formula(512) + kPair * 512.0 * 256.0;
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
    QCOMPARE(timer.layers_timed[1024], 1);
    QCOMPARE(timer.keys_timed[1024], 1);
  }

  void layers_with_a_window() {
    FormulaTimer timer(512);
    const auto times = calibrate_prefill(timer, 2048, 512, 1024, kUnlimited);
    QVERIFY(near(times->attention_ms_per_pair, kPair));
    QVERIFY(follow(times->layer, layer_formula));
  }

  // No prefill multiplies more rows at once.
  void no_more_rows_than_a_chunk() {
    FormulaTimer whole, part;
    QCOMPARE(rows_of(calibrated(whole, 512).layer), (Rows{1, 32, 128, 512}));
    QCOMPARE(rows_of(calibrated(part, 300).layer), (Rows{1, 32, 128}));
    QCOMPARE(part.layers_timed.count(512) + part.keys_timed.count(512), size_t{0});
  }

  void no_more_rows_than_positions() {
    FormulaTimer timer;
    const auto times = calibrate_prefill(timer, 24, 0, 1024, kUnlimited);
    QCOMPARE(rows_of(times->layer), (Rows{1, 24}));
    QVERIFY(near(times->attention_ms_per_pair, kPair));  // of 12 rows with 12 before them
    QVERIFY(!calibrate_prefill(timer, 1, 0, 1024, kUnlimited).ok());
  }

  void what_was_disturbed_is_timed_again() {
    FormulaTimer timer;
    timer.layers_disturbed = {{1, {4.0}}, {32, {3.0}}, {512, {3.0, 1.2}}, {1024, {1.1}}};
    timer.keys_disturbed = {{1, {5.0}}, {128, {9.0}}, {512, {1.5}}, {1024, {1.2, 1.1}}};
    timer.far_disturbed = {2.0};
    const PrefillTimes times = calibrated(timer);
    QCOMPARE(rows_of(times.layer), kAllRows);
    QVERIFY(follow(times.layer, layer_formula));
    QVERIFY(follow(times.keys, keys_formula));
    QVERIFY(near(times.attention_ms_per_pair, kPair));
    QCOMPARE(timer.layers_timed[512], 3);
    QCOMPARE(timer.layers_timed[1024], 2);
    QCOMPARE(timer.keys_timed[1024], 3);
  }

  // Attention is the difference of two timings: both are taken twice, and the curve has its part of it.
  void attention_of_a_disturbed_near_timing() {
    FormulaTimer timer;
    timer.layers_disturbed = {{128, {1.3}}};
    const PrefillTimes times = calibrated(timer);
    QVERIFY(near(times.attention_ms_per_pair, kPair));
    QVERIFY(near(times.layer[2].ms, layer_formula(128)));
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
    QCOMPARE(rows_of(calibrate_prefill(much, 2048, 0, 1024, limits)->layer), (Rows{1, 32, 128}));
    QCOMPARE(rows_of(calibrate_prefill(slightly, 2048, 0, 1024, limits)->layer), (Rows{1, 32, 128, 512}));
    QCOMPARE(much.layers_timed[512], 1);
    QCOMPARE(slightly.layers_timed[512], 1);
  }

  // What a disturbed timing took says nothing of what the next one takes.
  void time_for_another_is_told_by_fewer_rows() {
    FormulaTimer timer;
    timer.layers_disturbed = {{512, {3.0}}};
    const auto times =
        calibrate_prefill(timer, 2048, 0, 512, {.rows_ms = before_512() + 4.2 * pass_of_512(), .keys_ms = 0.0});
    QCOMPARE(timer.layers_timed[512], 2);
    QVERIFY(near(times->layer.back().ms, layer_formula(512)));
  }

  void without_time_two_points_are_left() {
    FormulaTimer timer;
    const auto times = calibrate_prefill(timer, 2048, 0, 1024, {.rows_ms = 0.0});
    QCOMPARE(rows_of(times->layer), (Rows{1, 32}));
    QCOMPARE(rows_of(times->keys), (Rows{1, 32}));
    QVERIFY(timer.layers_timed[1] == 1 && timer.layers_timed[32] == 1 && timer.far_rows.size() == 1);
    // Not the curve's linear guess of 128 rows, but a timing of them tells attention.
    QVERIFY(near(times->attention_ms_per_pair, kPair));
  }

  void keys_of_many_rows_that_take_too_long_are_left_out() {
    FormulaTimer timer;
    const auto times = calibrate_prefill(timer, 2048, 0, 1024, {.rows_ms = 1e9, .keys_ms = 30.0});
    QCOMPARE(rows_of(times->keys), (Rows{1, 32, 128}));
    QCOMPARE(rows_of(times->layer), kAllRows);
  }

  void a_slow_machine_times_attention_with_few_rows() {
    FormulaTimer quick, slow(0, 10.0);
    calibrated(quick);
    QCOMPARE(quick.far_rows, (Rows{128, 128}));
    QVERIFY(near(calibrated(slow).attention_ms_per_pair, 10.0 * kPair));
    QCOMPARE(slow.far_rows, (Rows{32, 32}));
  }

  void an_error_ends_it() {
    FormulaTimer timer;
    timer.error = Error{"stopped"};
    QCOMPARE(calibrate_prefill(timer, 2048, 0, 1024, {}).error().message, std::string("stopped"));
  }
};

QTEST_APPLESS_MAIN(CalibrateTest)
#include "tst_calibrate.moc"
