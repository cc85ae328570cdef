#include "engine/pop/auto_plan.h"

namespace poplens {

GateStage prefill_stage_for(const Boundary& boundary, bool pictures) {
  return boundary.kind == Boundary::Kind::text && pictures ? GateStage::prefill_text : GateStage::prefill;
}

std::vector<double> predicted_suffix_rises(const StageImportance& stage) {
  std::vector<double> rises;
  std::vector<int> pruned;
  for (auto layer = static_cast<int>(stage.layers.size()) - 1; layer >= 0; --layer) {
    pruned.push_back(layer);
    rises.push_back(stage.predicted_rise(pruned));
  }
  return rises;
}

AutoDepth deepest_within(const StageImportance& stage, double max_rise) {
  AutoDepth best;
  const std::vector<double> predicted = predicted_suffix_rises(stage);
  for (size_t i = 0; i < stage.suffix_rises.size(); ++i) {
    if (predicted[i] > max_rise || stage.suffix_rises[i] > max_rise) break;
    best = {static_cast<int>(i) + 1, predicted[i], stage.suffix_rises[i]};
  }
  return best;
}

}  // namespace poplens
