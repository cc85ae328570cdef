// How fast this machine computes with the loaded model.
#pragma once

#include <stop_token>

#include "engine/pop/cost/measured_speed.h"
#include "ui/engine/jobs.h"

namespace poplens::ui {

class EngineRoom;

// On the engine's thread: as it was kept, or measured now, which takes a second or two. Fails where `model` is not the
// one that is loaded.
Result<MeasuredSpeed> find_speed(EngineRoom& room, const ModelChoice& model, const std::stop_token& stop);

}  // namespace poplens::ui
