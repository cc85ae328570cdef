// One of the two answers of a comparison: its text, what it waited for, and where it differs.
#pragma once

#include <QObject>
#include <QtQml/qqmlregistration.h>

#include "ui/engine/compare_job.h"
#include "ui/markdown/text_difference.h"
#include "ui/models/stage_bar_model.h"

namespace poplens::ui {

class CompareSide : public QObject {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by comparisons")
  Q_PROPERTY(QString text READ text NOTIFY textChanged)
  Q_PROPERTY(int markBegin READ markBegin NOTIFY textChanged)
  Q_PROPERTY(int markEnd READ markEnd NOTIFY textChanged)
  Q_PROPERTY(poplens::ui::AnswerFigures figures READ figures NOTIFY figuresChanged)
  Q_PROPERTY(poplens::ui::StageBarModel* stages READ stages CONSTANT)

 public:
  using QObject::QObject;

  QString text() const { return text_; }
  // The characters that the other answer does not have in their place; empty: none.
  int markBegin() const { return mark_.begin; }
  int markEnd() const { return mark_.end; }
  AnswerFigures figures() const { return figures_; }
  StageBarModel* stages() { return &stages_; }
  const StageBarModel& stages() const { return stages_; }

  void clear();
  // The run that is going on.
  void begin_run();
  void take(const ComparisonStep& step, const Event& event);
  void finish(const ComparedFigures& compared, const TextSpan& mark);
  void abandon();

 signals:
  void textChanged();
  void figuresChanged();

 private:
  QString text_;
  TextSpan mark_;
  AnswerFigures figures_;
  StageBarModel stages_;
};

}  // namespace poplens::ui
