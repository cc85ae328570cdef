#include "ui/engine/jobs.h"

namespace poplens::ui {

double total_ms(const StageTimes& stages) {
  return stages.image_decode_ms + stages.preprocess_ms + stages.vision_ms + stages.prefill_ms + stages.boundary_ms +
         stages.first_token_ms;
}

double AnswerFigures::aheadMs() const {
  return total_ms(ahead);
}

}  // namespace poplens::ui
