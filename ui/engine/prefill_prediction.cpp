#include "ui/engine/prefill_prediction.h"

#include <algorithm>

namespace poplens::ui {

double prefill_cost(const ModelFacts& model, int tokens, int depth) {
  const double n = tokens;
  const double d = model.hidden;
  const double d_q = model.queryWidth;
  const double d_kv = model.kvWidth;
  const double f = model.intermediate;
  const double kv = 2.0 * d * d_kv;
  const double layer = d * (2.0 * d_q + 2.0 * d_kv) + 3.0 * d * f + n * d_q;
  const int pruned = std::clamp(depth, 1, std::max(1, model.layers));
  return n * ((model.layers - pruned) * layer + pruned * kv);
}

}  // namespace poplens::ui
