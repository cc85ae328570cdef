// What pruning the last 1, 2, … layers in the prefill really costs an answer: what Auto goes by. The residual stream
// that enters the first pruned layer is the full model's, so each depth begins there and costs little more than the K/V
// projections of its layers: all depths of a boundary together about as much as one forward pass.
#pragma once

#include "engine/pop/importance/ablation.h"
#include "engine/pop/importance/gate_gradients.h"

namespace poplens {

// `pass` has run this sequence last, with the loss `whole`. Fills in the prefill stages, in nats of the whole answer:
// [layers], entry i with the last i + 1 layers pruned; the others stay empty. Equal to closing the gates, bit for bit
// in f32. on_depth(done, total): depths of all boundaries. The runner's cache is overwritten.
Result<AblationRises> measure_suffix_rises(AnswerRunner& runner, const GateGradientPass& pass,
                                           const AnswerSequence& sequence, double whole,
                                           const std::function<void(int64_t, int64_t)>& on_depth,
                                           const std::stop_token& stop);

}  // namespace poplens
