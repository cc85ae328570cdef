#include "engine/pop/cost/prefill_cost.h"

#include <algorithm>

#include "engine/backend/tensor.h"

namespace poplens {
namespace {

double matrix_cost(const DecoderSpec& spec) {
  return static_cast<double>(spec.hidden) *
         static_cast<double>(2 * spec.query_width() + 2 * spec.kv_width() + 3 * spec.intermediate);
}

}  // namespace

double layer_cost(const DecoderSpec& spec, int layer, int64_t tokens) {
  const auto n = static_cast<double>(tokens);
  const auto window = static_cast<double>(spec.layers[static_cast<size_t>(layer)].window);
  const double visible = window > 0.0 && window < n ? window - window * window / (2.0 * n) : n / 2.0;
  return matrix_cost(spec) + 2.0 * visible * static_cast<double>(spec.query_width());
}

double kv_cost(const DecoderSpec& spec) {
  return 2.0 * static_cast<double>(spec.hidden) * static_cast<double>(spec.kv_width());
}

double prefill_cost(const DecoderSpec& spec, int64_t tokens, int depth) {
  const int pruned = std::clamp(depth, 1, std::max(spec.layer_count(), 1));
  double cost = pruned * kv_cost(spec);
  for (int layer = 0; layer < spec.layer_count() - pruned; ++layer) cost += layer_cost(spec, layer, tokens);
  return cost;
}

double layer_bytes(const DecoderSpec& spec) {
  return matrix_cost(spec) * static_cast<double>(size_of(DType::bf16));
}

double prefill_limit(const DecoderSpec& spec, int64_t tokens, int depth, double row_cost) {
  if (depth == 0) return 1.0;
  const double row = row_cost / static_cast<double>(tokens);
  return (prefill_cost(spec, tokens, 0) + row) / (prefill_cost(spec, tokens, depth) + depth * row);
}

}  // namespace poplens
