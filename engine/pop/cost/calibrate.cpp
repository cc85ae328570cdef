#include "engine/pop/cost/calibrate.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/base/clock.h"
#include "engine/session/kv_cache.h"

namespace poplens {
namespace {

constexpr std::array<int64_t, 5> kRows = {1, 32, 128, 512, 1024};
// The first layer of a pass finds nothing in the caches, and its weights may still lie on the disk: it is left out, but
// where so many rows are multiplied that it makes no difference.
constexpr int kWarmLayers = 1;
constexpr int64_t kManyRows = 512;
constexpr int kTimedLayers = 2;
// What is quick is timed several times: whatever else the machine does only ever makes it slower.
constexpr int kPasses = 2;
constexpr double kQuickMs = 10.0;      // a layer
constexpr double kQuickKeysMs = 20.0;  // K/V of the layers that are timed
constexpr double kLongMs = 60.0;       // one of these tells enough
// K/V are timed in one of so many layers: they come in a few stacks, each as good as all of it.
constexpr int kLayersForKeys = 3;
// Attention is told from the rest by rows that see many keys before them; by fewer where a layer takes long.
constexpr int64_t kAttentionRows = 128, kFewAttentionRows = 32, kAttentionKeys = 2048;

class Calibration {
 public:
  Calibration(Decoder& decoder, const std::stop_token& stop) : decoder_(decoder), stop_(stop) {}

  Result<void> reserve(int64_t positions) {
    ids_.assign(static_cast<size_t>(positions), 0);
    positions_.resize(static_cast<size_t>(positions));
    for (int32_t i = 0; i < static_cast<int32_t>(positions); ++i) positions_[static_cast<size_t>(i)] = {i, i, i};
    POPLENS_CHECK(decoder_.reserve(std::min(positions, kRows.back())));
    return cache_.reserve(decoder_, positions, 0);
  }

  // The quickest of the timed layers on `rows` positions from `first` on; the pass ends with them.
  Result<double> layer_ms(int64_t first, int64_t rows) {
    double best = 0.0;
    int timed = 0;
    std::stop_source enough;
    const std::stop_callback forward_stop(stop_, [&] { enough.request_stop(); });
    auto before = Clock::now();
    const auto on_layer = [&](int layer) {
      const auto now = Clock::now();
      if (layer >= kWarmLayers || rows >= kManyRows || decoder_.spec().layer_count() == 1) {
        const double ms = ms_between(before, now);
        best = timed == 0 ? ms : std::min(best, ms);
        if (++timed == kTimedLayers || ms > kLongMs) enough.request_stop();
      }
      before = now;
    };
    POPLENS_CHECK(forward(first, rows, {}, on_layer, enough.get_token()));
    return best;
  }

  int layers_for_keys() const { return std::max(1, decoder_.spec().layer_count() / kLayersForKeys); }

  // K/V of `rows` positions in the first layers, for one of them; the pass ends with them.
  Result<double> keys_ms(int64_t rows) {
    PopPlan plan;
    plan.layers.resize(static_cast<size_t>(layers_for_keys()));
    std::iota(plan.layers.begin(), plan.layers.end(), 0);
    const PrefillRows pruned{.plan = &plan, .pruned_below = rows, .outputs_from = rows};
    std::stop_source enough;
    const std::stop_callback forward_stop(stop_, [&] { enough.request_stop(); });
    double ms = 0.0;
    const auto start = Clock::now();
    const auto on_layer = [&](int layer) {
      if (layer + 1 < layers_for_keys()) return;
      ms = ms_since(start);
      enough.request_stop();
    };
    POPLENS_CHECK(forward(0, rows, pruned, on_layer, enough.get_token()));
    return ms / layers_for_keys();
  }

 private:
  Result<void> forward(int64_t first, int64_t rows, const PrefillRows& what, const std::function<void(int)>& on_layer,
                       const std::stop_token& stop) {
    const auto from = static_cast<size_t>(first), count = static_cast<size_t>(rows);
    PrefillTrace trace;
    const auto done = decoder_.forward({.ids = std::span(ids_).subspan(from, count),
                                        .first_position = first,
                                        .positions = std::span(positions_).subspan(from, count)},
                                       what, cache_.layers(), trace, on_layer, stop);
    if (!done.ok() && (!done.error().cancelled || stop_.stop_requested())) return done.error();
    return {};
  }

  Decoder& decoder_;
  const std::stop_token& stop_;
  std::vector<int32_t> ids_;
  std::vector<RopePosition> positions_;
  KvCache cache_;
};

int64_t positions_that_fit(const Decoder& decoder, int64_t most, int64_t memory_bytes) {
  int64_t positions = most;
  while (positions > kRows.front() && decoder.workspace_bytes(std::min(positions, kRows.back())) +
                                              KvCache::bytes(decoder.spec(), decoder.activations(), positions) >
                                          memory_bytes) {
    positions /= 2;
  }
  return positions;
}

// A pass over `rows` positions of which a layer takes `layer_ms`.
double pass_ms(int64_t rows, double layer_ms) {
  const int timed = layer_ms > kLongMs ? 1 : kTimedLayers;
  return (rows >= kManyRows ? timed : kWarmLayers + timed) * layer_ms;
}

// By more than their attention, than fewer rows were: something else was done meanwhile.
bool dearer_a_row(const RowTime& time, const std::vector<RowTime>& measured) {
  constexpr double kAttention = 1.05;
  return !measured.empty() && time.ms * static_cast<double>(measured.back().rows) >
                                  kAttention * measured.back().ms * static_cast<double>(time.rows);
}

}  // namespace

Result<PrefillTimes> calibrate_prefill(Decoder& decoder, int64_t chunk_tokens, const CalibrationLimits& limits,
                                       const std::stop_token& stop) {
  const int64_t positions =
      positions_that_fit(decoder, std::min<int64_t>(kAttentionKeys, decoder.spec().context), limits.memory_bytes);
  Calibration calibration(decoder, stop);
  POPLENS_CHECK(calibration.reserve(positions));
  PrefillTimes times{.layer = {}, .keys = {}, .chunk_tokens = chunk_tokens};
  const auto start = Clock::now();
  const auto time_for = [&](double ms) { return ms_since(start) + ms <= limits.rows_ms; };
  const int layers = calibration.layers_for_keys();
  for (const int64_t wanted : kRows) {
    const int64_t rows = std::min(wanted, positions);
    if (!times.layer.empty() && rows <= times.layer.back().rows) break;
    const bool enough = times.layer.size() >= 2;
    if (enough && (rows > chunk_tokens || !time_for(pass_ms(rows, time_of_rows(times.layer, rows))))) break;
    const bool with_keys = times.keys.size() < 2 || time_of_rows(times.keys, rows) * layers <= limits.keys_ms;
    RowTime layer{rows, 0.0}, keys{rows, 0.0};
    for (int pass = 0; pass < kPasses; ++pass) {
      const bool doubtful = layer.ms < kQuickMs || times.layer.empty() || dearer_a_row(layer, times.layer);
      if (pass == 0 || (doubtful && time_for(pass_ms(rows, layer.ms)))) {
        POPLENS_TRY(ms, calibration.layer_ms(0, rows));
        layer.ms = pass == 0 ? ms : std::min(layer.ms, ms);
      }
      if (with_keys &&
          (pass == 0 || keys.ms * layers < kQuickKeysMs || times.keys.empty() || dearer_a_row(keys, times.keys))) {
        POPLENS_TRY(ms, calibration.keys_ms(rows));
        keys.ms = pass == 0 ? ms : std::min(keys.ms, ms);
      }
    }
    times.layer.push_back(layer);
    if (with_keys) times.keys.push_back(keys);
  }
  if (times.layer.size() < 2) return Error{"too little memory to measure this machine's speed"};

  const bool slow = time_of_rows(times.layer, kAttentionRows) > kLongMs;
  const int64_t rows = std::min(slow ? kFewAttentionRows : kAttentionRows, positions / 2);
  const int64_t earlier = positions - rows;
  if (rows > 0 && earlier > 0) {
    const auto measured =
        std::find_if(times.layer.begin(), times.layer.end(), [&](const RowTime& time) { return time.rows == rows; });
    double near = measured == times.layer.end() ? 0.0 : measured->ms;
    if (measured == times.layer.end()) {
      POPLENS_TRY(ms, calibration.layer_ms(0, rows));
      near = ms;
    }
    // The first time those keys are read from memory that nobody has touched.
    double far = 0.0;
    for (int pass = 0; pass < kPasses; ++pass) {
      POPLENS_TRY(ms, calibration.layer_ms(earlier, rows));
      far = pass == 0 ? ms : std::min(far, ms);
    }
    const int64_t window = decoder.spec().layers[kWarmLayers % decoder.spec().layers.size()].window;
    times.attention_ms_per_pair = attention_ms_per_pair(near, far, rows, earlier, window);
  }
  take_off_attention(times.layer, times.attention_ms_per_pair);
  return times;
}

}  // namespace poplens
