#include "engine/pop/importance/suffix_rises.h"

namespace poplens {

Result<AblationRises> measure_suffix_rises(AnswerRunner& runner, const GateGradientPass& pass,
                                           const AnswerSequence& sequence, double whole,
                                           const std::function<void(int64_t, int64_t)>& on_depth,
                                           const std::stop_token& stop) {
  const int layers = runner.decoder().spec().layer_count();
  const bool one_boundary = sequence.text_from() == sequence.decode_from();
  const int64_t total = int64_t{layers} * (one_boundary ? 1 : 2);
  int64_t done = 0;
  AblationRises all;
  const auto measure = [&](int64_t pruned_below, std::vector<double>& rises) -> Result<void> {
    for (int depth = 1; depth <= layers; ++depth) {
      const ConstMatrix entering = pass.entering(layers - depth, sequence.tokens());
      POPLENS_TRY(loss, runner.pruned_loss(sequence, depth, pruned_below, entering, stop));
      rises.push_back(loss - whole);
      if (on_depth) on_depth(++done, total);
    }
    return {};
  };
  std::vector<double>& last = all[static_cast<size_t>(GateStage::prefill)];
  std::vector<double>& text = all[static_cast<size_t>(GateStage::prefill_text)];
  POPLENS_CHECK(measure(sequence.decode_from(), last));
  if (one_boundary) {
    text = last;
  } else {
    POPLENS_CHECK(measure(sequence.text_from(), text));
  }
  return all;
}

}  // namespace poplens
