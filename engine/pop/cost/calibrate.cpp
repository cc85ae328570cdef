#include "engine/pop/cost/calibrate.h"

#include <algorithm>
#include <array>
#include <functional>

namespace poplens {
namespace {

constexpr std::array<int64_t, 5> kRows = {1, 32, 128, 512, 1024};
constexpr int64_t kAttentionRows = 128, kAttentionKeys = 2048;
// What is quick is timed twice, and what is doubtful three times: whatever else the machine does only ever makes
// something slower.
constexpr int kPasses = 2, kMostPasses = 3;
constexpr double kQuickPassMs = 25.0;
constexpr double kDoubtful = 1.05;
// Timed once only, so doubtful a point is not believed.
constexpr double kUnbelievable = 1.25;

// Times of ascending numbers of rows, and how good each of them is.
class Curve {
 public:
  std::function<Result<double>(int64_t rows)> time;
  std::function<double(int64_t rows, double ms)> pass_ms;  // that such a timing takes
  double attention_ms_per_pair = 0.0;                      // that is part of what is timed

  const std::vector<RowTime>& points() const { return points_; }
  // What a timing of more rows will take, told by fewer; 0 while nothing can be told.
  double next_pass_ms(int64_t rows) const {
    return points_.size() < 2 ? 0.0 : pass_ms(rows, time_of_rows(points_, rows));
  }

  Result<void> add(int64_t rows) {
    POPLENS_TRY(ms, time(rows));
    points_.push_back({rows, ms});
    passes_.push_back(1);
    return {};
  }
  Result<void> again(size_t point) {
    POPLENS_TRY(ms, time(points_[point].rows));
    points_[point].ms = std::min(points_[point].ms, ms);
    ++passes_[point];
    return {};
  }
  // What that will take is told by the other points, not by a timing that may have been disturbed.
  double again_pass_ms(size_t point) const {
    return pass_ms(points_[point].rows, points_[point].ms / std::max(1.0, doubt(point)));
  }
  int passes(size_t point) const { return passes_[point]; }

  // Attention apart, by what factor a point lies above the straight line between its neighbours; the last above what a
  // row costs among fewer, the first above the second.
  double doubt(size_t point) const {
    if (points_.size() < 2) return 1.0;
    const double ms = without_attention(points_[point]).ms;
    if (point == 0) return ms / without_attention(points_[1]).ms;
    const RowTime below = without_attention(points_[point - 1]);
    const auto rows = points_[point].rows;
    if (point + 1 == points_.size()) {
      return ms * static_cast<double>(below.rows) / (below.ms * static_cast<double>(rows));
    }
    return ms / time_of_rows({below, without_attention(points_[point + 1])}, rows);
  }
  // Of those that were timed fewer than `most_passes` times; none is left where nothing is returned.
  std::optional<size_t> most_doubtful(double at_least, int most_passes) const {
    std::optional<size_t> found;
    double most = at_least;
    for (size_t point = 0; point < points_.size(); ++point) {
      if (passes_[point] >= most_passes || doubt(point) <= most) continue;
      most = doubt(point);
      found = point;
    }
    return found;
  }
  void leave_out(size_t point) {
    points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(point));
    passes_.erase(passes_.begin() + static_cast<std::ptrdiff_t>(point));
  }

 private:
  RowTime without_attention(const RowTime& point) const {
    std::vector<RowTime> one = {point};
    take_off_attention(one, attention_ms_per_pair);
    return one.front();
  }

  std::vector<RowTime> points_;
  std::vector<int> passes_;
};

class Calibration {
 public:
  Calibration(LayerTimer& timer, const CalibrationLimits& limits) : timer_(timer), limits_(limits) {
    layer_.time = [this](int64_t rows) { return timer_.layer_ms(rows); };
    layer_.pass_ms = [this](int64_t rows, double ms) { return timer_.layer_pass_ms(rows, ms); };
    keys_.time = [this](int64_t rows) { return timer_.keys_ms(rows); };
    keys_.pass_ms = [this](int64_t, double ms) { return timer_.keys_pass_ms(ms); };
  }

  Result<PrefillTimes> measure(int64_t most_rows, int64_t most_keys, int64_t chunk_tokens) {
    POPLENS_TRY(pair_ms, attention_ms_per_pair(most_keys));
    layer_.attention_ms_per_pair = pair_ms;
    for (const int64_t wanted : kRows) {
      const int64_t rows = std::min(wanted, most_rows);
      const auto& points = layer_.points();
      if (!points.empty() && rows <= points.back().rows) break;
      if (points.size() >= 2 && (rows > chunk_tokens || !time_for(layer_.next_pass_ms(rows)))) break;
      POPLENS_CHECK(add(layer_, rows));
      const double keys_pass_ms = keys_.next_pass_ms(rows);
      if (keys_.points().size() < 2 || (keys_pass_ms <= limits_.keys_ms && time_for(keys_pass_ms))) {
        POPLENS_CHECK(add(keys_, rows));
      }
    }
    if (layer_.points().size() < 2) return Error{"too little memory to measure this machine's speed"};
    POPLENS_CHECK(improve(layer_));
    POPLENS_CHECK(improve(keys_));
    PrefillTimes times{.layer = layer_.points(), .keys = keys_.points(), .chunk_tokens = chunk_tokens};
    times.attention_ms_per_pair = pair_ms;
    take_off_attention(times.layer, pair_ms);
    return times;
  }

 private:
  bool time_for(double ms) const { return timer_.elapsed_ms() + ms <= limits_.rows_ms; }

  Result<double> attention_ms_per_pair(int64_t most_keys) {
    const int64_t rows = std::min(kAttentionRows, (most_keys + 1) / 2), first = most_keys - rows;
    double best = 0.0;
    for (int pass = 0; pass < kPasses; ++pass) {
      POPLENS_TRY(ms, timer_.attention_ms(first, rows));
      best = pass == 0 ? ms : std::min(best, ms);
    }
    return best / (static_cast<double>(rows) * (static_cast<double>(first) + static_cast<double>(rows) / 2.0));
  }

  Result<void> add(Curve& curve, int64_t rows) {
    POPLENS_CHECK(curve.add(rows));
    const size_t point = curve.points().size() - 1;
    for (int pass = 1; pass < kPasses; ++pass) {
      const double pass_ms = curve.pass_ms(rows, curve.points()[point].ms);
      if (pass_ms <= kQuickPassMs && time_for(pass_ms)) POPLENS_CHECK(curve.again(point));
    }
    return {};
  }

  Result<void> improve(Curve& curve) {
    auto point = curve.most_doubtful(kDoubtful, kMostPasses);
    while (point && time_for(curve.again_pass_ms(*point))) {
      POPLENS_CHECK(curve.again(*point));
      point = curve.most_doubtful(kDoubtful, kMostPasses);
    }
    point = curve.most_doubtful(kUnbelievable, kPasses);
    while (point && curve.points().size() > 2) {
      curve.leave_out(*point);
      point = curve.most_doubtful(kUnbelievable, kPasses);
    }
    return {};
  }

  LayerTimer& timer_;
  CalibrationLimits limits_;
  Curve layer_, keys_;
};

int64_t rows_that_fit(const Decoder& decoder, int64_t most, int64_t memory_bytes) {
  int64_t rows = most;
  while (rows > 1 && DecoderTimer::bytes(decoder, rows) > memory_bytes) rows /= 2;
  return rows;
}

}  // namespace

Result<PrefillTimes> calibrate_prefill(LayerTimer& timer, int64_t most_rows, int64_t most_keys, int64_t chunk_tokens,
                                       const CalibrationLimits& limits) {
  return Calibration(timer, limits).measure(most_rows, most_keys, chunk_tokens);
}

Result<PrefillTimes> calibrate_prefill(Decoder& decoder, int64_t chunk_tokens, const CalibrationLimits& limits,
                                       const std::stop_token& stop) {
  const int64_t context = std::max<int64_t>(1, decoder.spec().context);
  const int64_t rows = rows_that_fit(
      decoder, std::min({kRows.back(), context, std::max<int64_t>(kRows[1], chunk_tokens)}), limits.memory_bytes);
  DecoderTimer timer(decoder, stop);
  POPLENS_CHECK(timer.reserve(rows));
  return calibrate_prefill(timer, rows, std::min(kAttentionKeys, context), chunk_tokens, limits);
}

}  // namespace poplens
