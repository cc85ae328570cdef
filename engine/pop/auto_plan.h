// Auto: the deepest suffix of layers whose pruning is expected to cost no more than a bound.
#pragma once

#include <vector>

#include "engine/pop/plan.h"
#include "engine/pop/profile.h"

namespace poplens {

// The prefill stage that a boundary belongs to. A number of positions is reckoned as the last one alone: that never
// promises too much. Without a picture boundary `text` is the last position alone too.
GateStage prefill_stage_for(const Boundary& boundary, bool pictures);

// The expected rise of an answer's loss, in nats, with the last 1, 2, … layers pruned: [layers].
std::vector<double> predicted_suffix_rises(const StageImportance& stage);

struct AutoDepth {
  int depth = 0;
  double predicted_rise = 0.0;  // in nats an answer
  double measured_rise = 0.0;
};

// The greatest depth such that neither it nor any smaller one is expected, or was seen, to cost more than max_rise.
// Goes no deeper than the stage's suffix_rises: a depth whose cost nobody has measured is not offered.
AutoDepth deepest_within(const StageImportance& stage, double max_rise);

}  // namespace poplens
