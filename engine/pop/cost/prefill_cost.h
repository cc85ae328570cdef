// What a prefill costs, and how much faster pruning can make it at the most. Unit: multiply-adds per token.
#pragma once

#include <cstdint>

#include "engine/model/decoder_spec.h"

namespace poplens {

// Layer `layer` of a prompt of `tokens`, averaged over them:
//   d (2 d_q + 2 d_kv) + 3 d f + 2 visible d_q
// where a query sees `visible` keys on average: half of the prompt, or fewer through a sliding window.
double layer_cost(const DecoderSpec& spec, int layer, int64_t tokens);
// A pruned layer: 2 d d_kv.
double kv_cost(const DecoderSpec& spec);
// The decoder's prefill with the last `depth` layers pruned: the sum of C over the first L - k, and k C_kv. The full
// one (depth 0) computes K/V only in its last layer, since nobody reads its output: it costs what depth 1 does.
double prefill_cost(const DecoderSpec& spec, int64_t tokens, int depth);
// Bytes of one layer's matrices in bf16.
double layer_bytes(const DecoderSpec& spec);

// The most that the decoder's prefill can gain at depth k:
//   ((L - 1) C + C_kv + b / N) / (sum of C over the first L - k + k C_kv + k b / N)
// `row_cost` is b: one row through one layer, in multiply-adds of the full prefill's rate. 1 at depth 0.
double prefill_limit(const DecoderSpec& spec, int64_t tokens, int depth, double row_cost);

}  // namespace poplens
