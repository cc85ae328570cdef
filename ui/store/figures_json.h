// Values of the store that are kept as JSON text, so that new figures need no new column.
#pragma once

#include <QJsonObject>
#include <QString>

#include "ui/engine/jobs.h"

namespace poplens::ui {

// By the stages' names, in ms.
QJsonObject stages_json(const StageTimes& stages);
QString to_json(const AnswerFigures& figures);
AnswerFigures figures_from_json(const QString& json);
QString to_json(const SamplingChoice& sampling);
SamplingChoice sampling_from_json(const QString& json);

}  // namespace poplens::ui
