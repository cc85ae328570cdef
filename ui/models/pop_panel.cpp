#include "ui/models/pop_panel.h"

#include <algorithm>

#include "ui/engine/prefill_prediction.h"
#include "ui/models/engine_state.h"

namespace poplens::ui {

PopPanel::PopPanel(EngineState* engine, const QString& profiles, QObject* parent)
    : QObject(parent), engine_(engine), importances_(profiles) {
  connect(&importances_, &ImportanceModel::changed, this, &PopPanel::predictionChanged);
  connect(engine, &EngineState::modelChosen, this, [this](const QString& folder) {
    importances_.find(folder);
    cost_per_ms_ = other_ms_ = 0.0;
    depth_chosen_ = false;
  });
  connect(engine, &EngineState::modelLoaded, this, [this] {
    // A third of the layers is where a model begins that nobody has chosen a depth for.
    if (!depth_chosen_) depth_ = layers() / 3;
    depth_ = std::min(depth_, layers());
    emit layersChanged();
    emit planChanged();
    emit predictionChanged();
  });
}

int PopPanel::layers() const {
  return engine_->layers();
}

void PopPanel::setOn(bool on) {
  if (on == on_) return;
  on_ = on;
  emit planChanged();
  emit predictionChanged();
}

void PopPanel::setDepth(int depth) {
  depth = std::clamp(depth, 0, std::max(0, layers()));
  if (depth == depth_) return;
  depth_ = depth;
  depth_chosen_ = true;
  emit planChanged();
  emit predictionChanged();
}

void PopPanel::setBoundary(Boundary boundary) {
  if (boundary == boundary_) return;
  boundary_ = boundary;
  importances_.setTextInFull(boundary == QuestionInFull);
  emit planChanged();
}

PlanChoice PopPanel::plan() const {
  PlanChoice plan;
  plan.depth = on_ ? depth_ : 0;
  plan.boundary.kind = boundary_ == QuestionInFull ? poplens::Boundary::Kind::text : poplens::Boundary::Kind::last;
  return plan;
}

void PopPanel::set_prompt_tokens(int tokens) {
  if (tokens == prompt_tokens_) return;
  prompt_tokens_ = tokens;
  emit predictionChanged();
}

void PopPanel::learn(const AnswerFigures& figures) {
  const int tokens = figures.promptTokens - figures.reusedTokens;
  if (figures.stages.prefill_ms <= 0.0 || tokens <= 1) return;
  cost_per_ms_ = prefill_cost(engine_->facts(), tokens, figures.prunedLayers) / figures.stages.prefill_ms;
  other_ms_ = std::max(0.0, figures.ttftMs - figures.stages.prefill_ms);
  prompt_tokens_ = tokens;
  emit predictionChanged();
}

double PopPanel::predict(int depth) const {
  if (cost_per_ms_ <= 0.0 || prompt_tokens_ <= 0) return 0.0;
  return other_ms_ + prefill_cost(engine_->facts(), prompt_tokens_, depth) / cost_per_ms_;
}

double PopPanel::speedUp() const {
  if (layers() == 0) return 1.0;
  constexpr int kTypicalTokens = 1024;
  const int tokens = prompt_tokens_ > 0 ? prompt_tokens_ : kTypicalTokens;
  return prefill_cost(engine_->facts(), tokens, 0) / prefill_cost(engine_->facts(), tokens, on_ ? depth_ : 0);
}

double PopPanel::expectedRise() const {
  return measured() && on_ ? importances_.profile().expected_rise(depth_, boundary_ == QuestionInFull) : 0.0;
}

void PopPanel::chooseDepth() {
  if (!measured()) return;
  int best = 0;
  for (int depth = 1; depth <= layers(); ++depth) {
    if (importances_.profile().expected_rise(depth, boundary_ == QuestionInFull) <= most_rise_) best = depth;
  }
  setDepth(best);
}

void PopPanel::setMostRise(double nats) {
  if (nats == most_rise_) return;
  most_rise_ = nats;
  emit planChanged();
}

}  // namespace poplens::ui
