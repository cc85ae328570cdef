#include "engine/pop/cost/calibrate.h"

#include <algorithm>
#include <array>
#include <functional>

namespace poplens {
namespace {

// The many are held against what the few tell, once attention is known.
constexpr std::array<int64_t, 3> kFewRows = {1, 32, 128};
constexpr std::array<int64_t, 2> kManyRows = {512, 1024};
// Attention is told from the rest by rows that see many keys before them; by fewer where a layer takes long.
constexpr int64_t kAttentionRows = 128, kFewAttentionRows = 32, kAttentionKeys = 2048;
constexpr double kSlowMs = 60.0;  // a layer
// What is quick is timed several times, and what is dearer a row than fewer rows are: whatever else the machine does
// only ever makes something slower.
constexpr int kPasses = 2, kMostPasses = 3;
constexpr double kQuickPassMs = 50.0;
constexpr double kDearer = 1.05;
// Timed once only, so much dearer a row is not believed.
constexpr double kUnbelievable = 1.25;

// One of the two curves, and how a point of it is timed.
struct Curve {
  std::vector<RowTime>& points;
  std::function<Result<double>(int64_t rows)> time;
  std::function<double(int64_t rows, double ms)> pass_ms;  // that such a timing takes
  double attention_ms_per_pair = 0.0;                      // that is part of what is timed
};

double without_attention(const RowTime& time, double ms_per_pair) {
  return time.ms - ms_per_pair * static_cast<double>(time.rows) * static_cast<double>(time.rows) / 2.0;
}

class Calibration {
 public:
  Calibration(LayerTimer& timer, int64_t positions, int64_t window, int64_t chunk_tokens,
              const CalibrationLimits& limits)
      : timer_(timer), positions_(positions), window_(window), limits_(limits) {
    times_.chunk_tokens = chunk_tokens;
  }

  Result<PrefillTimes> measure() {
    for (const int64_t rows : kFewRows) POPLENS_CHECK(time_rows(std::min(rows, positions_)));
    if (times_.layer.size() < 2) return Error{"too little memory to measure this machine's speed"};
    POPLENS_CHECK(time_attention());
    for (const int64_t rows : kManyRows) POPLENS_CHECK(time_rows(std::min(rows, positions_)));
    take_off_attention(times_.layer, times_.attention_ms_per_pair);
    return std::move(times_);
  }

 private:
  bool time_for(double ms) const { return timer_.elapsed_ms() + ms <= limits_.rows_ms; }

  Result<void> time_rows(int64_t rows) {
    if (!times_.layer.empty() && rows <= times_.layer.back().rows) return {};
    if (times_.layer.size() >= 2 && rows > times_.chunk_tokens) return {};
    const Curve layer{
        .points = times_.layer,
        .time = [this](int64_t count) { return timer_.layer_ms(0, count); },
        .pass_ms = [this](int64_t count, double ms) { return timer_.layer_pass_ms(count, ms); },
        .attention_ms_per_pair = times_.attention_ms_per_pair,
    };
    const Curve keys{
        .points = times_.keys,
        .time = [this](int64_t count) { return timer_.keys_ms(count); },
        .pass_ms = [this](int64_t, double ms) { return timer_.keys_pass_ms(ms); },
    };
    POPLENS_CHECK(add_point(layer, rows));
    if (keys.points.size() < 2 || keys.pass_ms(rows, time_of_rows(keys.points, rows)) <= limits_.keys_ms) {
      POPLENS_CHECK(add_point(keys, rows));
    }
    return {};
  }

  // By more than `factor` dearer a row, attention apart, than the fewer rows before: something else was done meanwhile.
  static bool dearer(const Curve& curve, const RowTime& time, double factor) {
    if (curve.points.empty()) return false;
    const RowTime& fewer = curve.points.back();
    return without_attention(time, curve.attention_ms_per_pair) * static_cast<double>(fewer.rows) >
           factor * without_attention(fewer, curve.attention_ms_per_pair) * static_cast<double>(time.rows);
  }

  Result<void> add_point(const Curve& curve, int64_t rows) {
    const bool needed = curve.points.size() < 2;
    // What it will take is told by fewer rows, not by a timing that may have been disturbed.
    const auto pass_ms = [&](double ms) { return curve.pass_ms(rows, needed ? ms : time_of_rows(curve.points, rows)); };
    if (!needed && !time_for(pass_ms(0.0))) return {};
    RowTime point{rows, 0.0};
    int passes = 0;
    bool again = true;
    while (again) {
      POPLENS_TRY(ms, curve.time(rows));
      point.ms = passes == 0 ? ms : std::min(point.ms, ms);
      ++passes;
      const bool quick = curve.points.empty() || curve.pass_ms(rows, point.ms) < kQuickPassMs;
      again = time_for(pass_ms(point.ms)) &&
              ((quick && passes < kPasses) || (dearer(curve, point, kDearer) && passes < kMostPasses));
    }
    if (needed || passes > 1 || !dearer(curve, point, kUnbelievable)) curve.points.push_back(point);
    return {};
  }

  Result<void> time_attention() {
    const bool slow = time_of_rows(times_.layer, kAttentionRows) > kSlowMs;
    const int64_t rows = std::min(slow ? kFewAttentionRows : kAttentionRows, positions_ / 2);
    const int64_t earlier = positions_ - rows;
    if (rows <= 0) return {};
    const auto same_rows =
        std::find_if(times_.layer.begin(), times_.layer.end(), [&](const RowTime& time) { return time.rows == rows; });
    double near = same_rows == times_.layer.end() ? 0.0 : same_rows->ms;
    if (near == 0.0 || time_for(timer_.layer_pass_ms(rows, near))) {
      POPLENS_TRY(ms, timer_.layer_ms(0, rows));
      near = near == 0.0 ? ms : std::min(near, ms);
      if (same_rows != times_.layer.end()) same_rows->ms = near;
    }
    double far = 0.0;
    for (int pass = 0; pass < kPasses && (pass == 0 || time_for(timer_.layer_pass_ms(rows, far))); ++pass) {
      POPLENS_TRY(ms, timer_.layer_ms(earlier, rows));
      far = pass == 0 ? ms : std::min(far, ms);
    }
    times_.attention_ms_per_pair = attention_ms_per_pair(near, far, rows, earlier, window_);
    return {};
  }

  LayerTimer& timer_;
  int64_t positions_;
  int64_t window_;
  CalibrationLimits limits_;
  PrefillTimes times_;
};

int64_t positions_that_fit(const Decoder& decoder, int64_t most, int64_t memory_bytes) {
  int64_t positions = most;
  while (positions > 1 && DecoderTimer::bytes(decoder, positions, kManyRows.back()) > memory_bytes) positions /= 2;
  return positions;
}

}  // namespace

Result<PrefillTimes> calibrate_prefill(LayerTimer& timer, int64_t positions, int64_t window, int64_t chunk_tokens,
                                       const CalibrationLimits& limits) {
  return Calibration(timer, positions, window, chunk_tokens, limits).measure();
}

Result<PrefillTimes> calibrate_prefill(Decoder& decoder, int64_t chunk_tokens, const CalibrationLimits& limits,
                                       const std::stop_token& stop) {
  const int64_t positions =
      positions_that_fit(decoder, std::min<int64_t>(kAttentionKeys, decoder.spec().context), limits.memory_bytes);
  DecoderTimer timer(decoder, stop);
  POPLENS_CHECK(timer.reserve(positions, kManyRows.back()));
  return calibrate_prefill(timer, positions, timer.window(), chunk_tokens, limits);
}

}  // namespace poplens
