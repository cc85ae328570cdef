// What the estimates are checked against: the rise of an answer's loss with a gate really at 0.
#pragma once

#include "engine/pop/importance/answer_runner.h"
#include "engine/pop/profile.h"

namespace poplens {

// Whose gates are closed in one pass: those of one layer, or of one layer and all behind it.
enum class Closed : uint8_t { one_layer, suffix };

// In nats of the whole answer: per stage, [layers]; entry i is layer i, or the last i + 1 layers.
using AblationRises = std::array<std::vector<double>, kGateStages>;

// Closes both gates of each layer in each stage, or of each suffix in the decode stages (suffix_rises.h has those of
// the prefill); the other stages' lists stay empty. Where the two boundaries are the same position, what was measured
// for one stands for the other. on_layer(done, total): forward passes.
Result<AblationRises> measure_ablation(AnswerRunner& runner, const AnswerSequence& sequence, Closed closed,
                                       const std::function<void(int64_t, int64_t)>& on_layer,
                                       const std::stop_token& stop);

}  // namespace poplens
