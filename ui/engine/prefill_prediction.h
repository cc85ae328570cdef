// What a prefill costs at a depth, for the slider's prediction.
#pragma once

#include "ui/engine/jobs.h"

namespace poplens::ui {

// Multiply-adds of the decoder's prefill of `tokens` with the last `depth` layers pruned:
//   N · ((L − k) · C + k · C_kv),   C = d (2 d_q + 2 d_kv) + 3 d f + N d_q,   C_kv = 2 d d_kv
// The full prefill (k = 0) computes only K/V in its last layer, as depth 1 does, since nobody reads its output.
double prefill_cost(const ModelFacts& model, int tokens, int depth);

}  // namespace poplens::ui
