#include "ui/engine/jobs.h"

namespace poplens::ui {

double total_ms(const StageTimes& stages) {
  return stages.image_decode_ms + stages.preprocess_ms + stages.vision_ms + stages.prefill_ms + stages.boundary_ms +
         stages.first_token_ms;
}

AnswerFigures with_ahead(AnswerFigures figures, const AheadDone& done, std::chrono::steady_clock::time_point asked) {
  figures.stages = figures.stages + done.spans.after(asked);
  // Something else may have taken the cache since; pictures' features have one of their own.
  const bool prefilled = figures.reusedTokens >= done.reach;
  const StageTimes before = done.spans.before(asked);
  if (prefilled) {
    figures.ahead = before;
    figures.aheadTokens = done.tokens;
  } else if (figures.reusedPictures > 0) {
    figures.ahead = {.image_decode_ms = before.image_decode_ms,
                     .preprocess_ms = before.preprocess_ms,
                     .vision_ms = before.vision_ms};
  }
  return figures;
}

double AnswerFigures::aheadMs() const {
  return total_ms(ahead);
}

}  // namespace poplens::ui
