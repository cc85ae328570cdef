// Importances measured on the conversation that is open: every answer in it is a sample.
#pragma once

#include <functional>
#include <stop_token>

#include "engine/pop/profile.h"
#include "ui/engine/jobs.h"

namespace poplens::ui {

class EngineRoom;

struct ImportanceJob {
  ModelChoice model;
  QList<Turn> turns;
  QString profile_path;  // where the result is kept
};

// On the engine's thread. Computes in f32, over the weights that are loaded already. `progress` is told parts done of
// all. Fails where the conversation has no answer, or memory is short; says both sizes then.
Result<ImportanceProfile> measure_importances(EngineRoom& room, const ImportanceJob& job,
                                              const std::function<void(qint64 done, qint64 total)>& progress,
                                              const std::stop_token& stop);

}  // namespace poplens::ui
