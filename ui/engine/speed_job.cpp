#include "ui/engine/speed_job.h"

#include "ui/engine/engine_room.h"

namespace poplens::ui {

Result<MeasuredSpeed> find_speed(EngineRoom& room, const ModelChoice& model, const std::stop_token& stop) {
  if (!room.has(model)) return Error{"another model was loaded meanwhile", /*cancelled=*/true};
  return speed_of(room.model(), SessionOptions{}.prefill_chunk_tokens, stop);
}

}  // namespace poplens::ui
