// Values of the engine's jobs that the screens read.
#pragma once

#include <QtQml/qqml.h>

#include "ui/engine/jobs.h"

namespace poplens::ui {

struct AnswerFiguresType {
  Q_GADGET
  QML_FOREIGN(poplens::ui::AnswerFigures)
  QML_VALUE_TYPE(answerFigures)
};

struct SentPictureType {
  Q_GADGET
  QML_FOREIGN(poplens::ui::SentPicture)
  QML_VALUE_TYPE(sentPicture)
};

}  // namespace poplens::ui
