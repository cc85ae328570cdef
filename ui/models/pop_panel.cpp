#include "ui/models/pop_panel.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "engine/pop/cost/prefill_cost.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/importance_job.h"
#include "ui/models/engine_state.h"

namespace poplens::ui {

PopPanel::PopPanel(EngineState* engine, EngineClient* client, const QString& profiles, QObject* parent)
    : QObject(parent), engine_(engine), client_(client), importances_(profiles) {
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
    importances_.loaded(engine_->facts().fingerprint);
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
  const int tokens = figures.promptTokens - figures.reusedTokens + figures.aheadTokens;
  const double prefill_ms = figures.stages.prefill_ms + figures.ahead.prefill_ms;
  // A few tokens' time is mostly that of reading the weights, and says little about a picture's.
  constexpr int kEnoughTokens = 32;
  if (prefill_ms <= 0.0 || tokens < kEnoughTokens) return;
  cost_per_ms_ = prefill_cost(engine_->facts().decoder, tokens, figures.prunedLayers) / prefill_ms;
  other_ms_ = total_ms(figures.stages) + total_ms(figures.ahead) - prefill_ms;
  prompt_tokens_ = tokens;
  emit predictionChanged();
}

double PopPanel::predict(int depth) const {
  if (cost_per_ms_ <= 0.0 || prompt_tokens_ <= 0) return 0.0;
  return other_ms_ + prefill_cost(engine_->facts().decoder, prompt_tokens_, depth) / cost_per_ms_;
}

double PopPanel::speedUp() const {
  if (layers() == 0) return 1.0;
  constexpr int kTypicalTokens = 1024;
  const int tokens = prompt_tokens_ > 0 ? prompt_tokens_ : kTypicalTokens;
  return prefill_cost(engine_->facts().decoder, tokens, 0) /
         prefill_cost(engine_->facts().decoder, tokens, on_ ? depth_ : 0);
}

double PopPanel::expectedRise() const {
  return measured() && on_ ? importances_.expected_rise(depth_) : 0.0;
}

void PopPanel::chooseDepth() {
  if (!measured()) return;
  setDepth(importances_.deepest_within(most_rise_));
}

void PopPanel::measure(const QList<Turn>& turns) {
  if (measuring()) return;
  measured_percent_ = 0;
  measure_error_.clear();
  const ImportanceJob job{
      .model = engine_->choice(), .turns = turns, .profile_path = importances_.kept_at(engine_->folder())};
  // The engine's thread may outlive this object: it writes a number that both hold.
  const auto percent = std::make_shared<std::atomic<int>>(0);
  const auto progress = [percent](qint64 done, qint64 total) {
    constexpr qint64 kAll = 100;
    percent->store(static_cast<int>(total > 0 ? done * kAll / total : 0));
  };
  measure_timer_.disconnect();
  connect(&measure_timer_, &QTimer::timeout, this, [this, percent] {
    measured_percent_ = percent->load();
    emit measuringChanged();
  });
  constexpr int kLookMs = 100;
  measure_timer_.start(kLookMs);
  measure_job_ = client_->run(
      this,
      [job, progress](EngineRoom& room, const std::stop_token& stop) {
        return measure_importances(room, job, progress, stop);
      },
      [this, folder = job.model.folder](Result<ImportanceProfile> profile) {
        measure_job_ = 0;
        measure_timer_.stop();
        if (profile.ok() && folder == engine_->folder()) importances_.set(*profile);
        if (!profile.ok() && !profile.error().cancelled)
          measure_error_ = QString::fromStdString(profile.error().message);
        emit measuringChanged();
      });
  emit measuringChanged();
}

void PopPanel::stopMeasuring() {
  if (measuring()) client_->stop(measure_job_);
}

void PopPanel::setMostRise(double nats) {
  if (nats == most_rise_) return;
  most_rise_ = nats;
  emit planChanged();
}

}  // namespace poplens::ui
