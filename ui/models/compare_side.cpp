#include "ui/models/compare_side.h"

#include <algorithm>

namespace poplens::ui {

void CompareSide::clear() {
  text_.clear();
  mark_ = {};
  figures_ = {};
  stages_.finish({}, 0.0);
  emit textChanged();
  emit figuresChanged();
}

void CompareSide::begin_run() {
  stages_.begin(stages_.elapsedMs());
}

void CompareSide::take(const ComparisonStep& step, const Event& event) {
  const auto* token = std::get_if<TokenEvent>(&event.what);
  if (token == nullptr) {
    stages_.take(event);
  } else if (step.run < 0) {
    text_ += QString::fromStdString(token->text);
    emit textChanged();
  }
}

void CompareSide::finish(const ComparedFigures& compared, const TextSpan& mark) {
  text_ = compared.text;
  mark_ = mark;
  figures_ = compared.figures;
  stages_.finish(figures_.stages, std::max(0.0, figures_.ttftMs - total_ms(figures_.stages)));
  emit textChanged();
  emit figuresChanged();
}

void CompareSide::abandon() {
  stages_.abandon();
}

}  // namespace poplens::ui
