#include "engine/pop/cost/layer_timer.h"

#include <algorithm>
#include <numeric>

namespace poplens {
namespace {

// The first layer of a pass finds nothing in the caches, and its weights may still lie on the disk: it is left out, but
// where so many rows are multiplied that it makes no difference.
constexpr int kWarmLayers = 1;
constexpr int64_t kRowsForColdWeights = 512;
constexpr int kTimedLayers = 2;
constexpr double kLongMs = 60.0;  // one layer that takes so long tells enough
// K/V are timed in one of so many layers: they come in a few stacks, each as good as all of it.
constexpr int kLayersForKeys = 3;

}  // namespace

int64_t DecoderTimer::bytes(const Decoder& decoder, int64_t most_rows) {
  return decoder.workspace_bytes(most_rows) + KvCache::bytes(decoder.spec(), decoder.activations(), most_rows);
}

Result<void> DecoderTimer::reserve(int64_t most_rows) {
  ids_.assign(static_cast<size_t>(most_rows), 0);
  positions_.resize(static_cast<size_t>(most_rows));
  for (int32_t i = 0; i < static_cast<int32_t>(most_rows); ++i) positions_[static_cast<size_t>(i)] = {i, i, i};
  POPLENS_CHECK(decoder_.reserve(most_rows));
  POPLENS_CHECK(cache_.reserve(decoder_, most_rows, 0));
  decoder_.clear_workspace();
  const int timed = std::min(std::max(layers_for_keys(), kWarmLayers + kTimedLayers), decoder_.spec().layer_count());
  for (const KvView& layer : cache_.layers().first(static_cast<size_t>(timed))) {
    clear(decoder_.backend(), layer.k.row_range(0, most_rows));
    clear(decoder_.backend(), layer.v.row_range(0, most_rows));
  }
  return {};
}

int DecoderTimer::layers_for_keys() const {
  return std::max(1, decoder_.spec().layer_count() / kLayersForKeys);
}

int DecoderTimer::warm_layers(int64_t rows) const {
  return rows >= kRowsForColdWeights || decoder_.spec().layer_count() == 1 ? 0 : kWarmLayers;
}

double DecoderTimer::layer_pass_ms(int64_t rows, double layer_ms) const {
  return (warm_layers(rows) + (layer_ms > kLongMs ? 1 : kTimedLayers)) * layer_ms;
}

double DecoderTimer::keys_pass_ms(double keys_ms) const {
  return layers_for_keys() * keys_ms;
}

// The quickest of the timed layers; the pass ends with them.
Result<double> DecoderTimer::layer_ms(int64_t rows) {
  double best = 0.0;
  int timed = 0;
  std::stop_source enough;
  const std::stop_callback forward_stop(stop_, [&] { enough.request_stop(); });
  auto before = Clock::now();
  const auto on_layer = [&](int layer) {
    const auto now = Clock::now();
    if (layer >= warm_layers(rows)) {
      const double ms = ms_between(before, now);
      best = timed == 0 ? ms : std::min(best, ms);
      if (++timed == kTimedLayers || ms > kLongMs) enough.request_stop();
    }
    before = now;
  };
  POPLENS_CHECK(forward(rows, {}, on_layer, enough.get_token()));
  return best;
}

// The first layers are pruned, and the pass ends with them.
Result<double> DecoderTimer::keys_ms(int64_t rows) {
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
  POPLENS_CHECK(forward(rows, pruned, on_layer, enough.get_token()));
  return ms / layers_for_keys();
}

Result<double> DecoderTimer::attention_ms(int64_t first, int64_t rows) {
  const DecoderSpec& spec = decoder_.spec();
  Backend& backend = decoder_.backend();
  const int64_t keys = first + rows;
  POPLENS_TRY(q, allocate_array(backend, decoder_.activations(), rows, spec.query_width()));
  POPLENS_TRY(k, allocate_array(backend, decoder_.activations(), keys, spec.kv_width()));
  POPLENS_TRY(v, allocate_array(backend, decoder_.activations(), keys, spec.kv_width()));
  POPLENS_TRY(out, allocate_array(backend, decoder_.activations(), rows, spec.query_width()));
  for (const DeviceArray* array : {&q, &k, &v, &out}) clear(backend, array->view());
  const std::vector<KeyRange> ranges = visible_keys(first, rows, 0, {});
  if (stop_.stop_requested()) return Error{"stopped", /*cancelled=*/true};
  const auto start = Clock::now();
  backend.attention({spec.heads, spec.kv_heads, spec.head_dim, spec.attention_scale}, q.view(), k.view(), v.view(),
                    ranges, out.view());
  return ms_since(start);
}

Result<void> DecoderTimer::forward(int64_t rows, const PrefillRows& what, const std::function<void(int)>& on_layer,
                                   const std::stop_token& stop) {
  const auto count = static_cast<size_t>(rows);
  PrefillTrace trace;
  const auto done =
      decoder_.forward({.ids = std::span(ids_).first(count), .positions = std::span(positions_).first(count)}, what,
                       cache_.layers(), trace, on_layer, stop);
  if (!done.ok() && (!done.error().cancelled || stop_.stop_requested())) return done.error();
  return {};
}

}  // namespace poplens
