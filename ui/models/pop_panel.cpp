#include "ui/models/pop_panel.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>

#include "engine/pop/cost/prefill_cost.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/engine_room.h"
#include "ui/engine/importance_job.h"
#include "ui/i18n/reason_text.h"
#include "ui/models/engine_state.h"
#include "ui/models/settings.h"

namespace poplens::ui {
namespace {

// A short question, and what the chat template puts around it.
constexpr int kTypicalTextTokens = 32;
constexpr int kTypicalTokens = 1024;

}  // namespace

PopPanel::PopPanel(EngineState* engine, EngineClient* client, Settings* settings, const QString& profiles,
                   QObject* parent)
    : QObject(parent),
      engine_(engine),
      client_(client),
      settings_(settings),
      text_tokens_(kTypicalTextTokens),
      speed_(engine, client),
      importances_(profiles) {
  follow_boundary();
  connect(settings, &Settings::ready, this, &PopPanel::take_settings);
  connect(&speed_, &MachineSpeed::changed, this, &PopPanel::predictionChanged);
  connect(&importances_, &ImportanceModel::changed, this, &PopPanel::predictionChanged);
  connect(engine, &EngineState::modelChosen, this, [this](const QString& folder) {
    importances_.find(folder);
    next_ = {};
    files_ms_ = 0.0;
    depth_chosen_ = false;
    // There are no layers until it is loaded.
    emit layersChanged();
  });
  connect(engine, &EngineState::modelLoaded, this, [this] {
    // A third of the layers is where a model begins that nobody has chosen a depth for.
    const int kept = settings_->pop_depth(engine_->folder());
    if (!depth_chosen_) depth_ = kept >= 0 ? kept : layers() / 3;
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
  settings_->setPopOn(on);
  emit planChanged();
  emit predictionChanged();
}

void PopPanel::setDepth(int depth) {
  depth = std::clamp(depth, 0, std::max(0, layers()));
  if (depth == depth_ || layers() == 0) return;
  depth_ = depth;
  depth_chosen_ = true;
  settings_->set_pop_depth(engine_->folder(), depth);
  emit planChanged();
  emit predictionChanged();
}

void PopPanel::setBoundary(Boundary boundary) {
  if (boundary == boundary_) return;
  boundary_ = boundary;
  settings_->setPopBoundary(boundary);
  follow_boundary();
  emit planChanged();
  emit predictionChanged();
}

void PopPanel::take_settings() {
  on_ = settings_->popOn();
  boundary_ = settings_->popBoundary() == LastTokenInFull ? LastTokenInFull : QuestionInFull;
  follow_boundary();
  emit planChanged();
  emit predictionChanged();
  emit mostRiseChanged();
}

void PopPanel::set_about_picture(bool about_picture) {
  if (about_picture == about_picture_) return;
  about_picture_ = about_picture;
  follow_boundary();
  emit predictionChanged();
}

// Without a picture, "the question in full" is the last token alone.
void PopPanel::follow_boundary() {
  importances_.setTextInFull(boundary_ == QuestionInFull && about_picture_);
}

PlanChoice PopPanel::plan() const {
  PlanChoice plan;
  plan.depth = on_ ? depth_ : 0;
  plan.boundary = plan_boundary();
  return plan;
}

poplens::Boundary PopPanel::plan_boundary() const {
  return {.kind = boundary_ == QuestionInFull ? poplens::Boundary::Kind::text : poplens::Boundary::Kind::last};
}

void PopPanel::set_pictures(const std::vector<int64_t>& picture_tokens) {
  if (picture_tokens == next_.picture_tokens) return;
  next_.picture_tokens = picture_tokens;
  next_.tokens = std::accumulate(picture_tokens.begin(), picture_tokens.end(), text_tokens_);
  emit predictionChanged();
}

void PopPanel::learn(const AnswerFigures& figures) {
  const int tokens = figures.promptTokens - figures.reusedTokens + figures.aheadTokens;
  if (tokens <= 0) return;
  next_.tokens = tokens;
  // The pictures of an earlier question lie in the cache, with all that stands before them.
  const bool cached = figures.reusedTokens - figures.aheadTokens >= figures.imageTokens;
  const int image_tokens = cached ? 0 : std::min(figures.imageTokens, tokens);
  const bool encoded = figures.stages.vision_ms + figures.ahead.vision_ms > 0.0;
  if (!encoded) {
    next_.picture_tokens.clear();
  } else if (std::accumulate(next_.picture_tokens.begin(), next_.picture_tokens.end(), int64_t{0}) != image_tokens) {
    next_.picture_tokens = {image_tokens};
  }
  text_tokens_ = std::max(1, tokens - image_tokens);
  files_ms_ = figures.stages.image_decode_ms + figures.stages.preprocess_ms + figures.ahead.image_decode_ms +
              figures.ahead.preprocess_ms;
  emit predictionChanged();
}

double PopPanel::predict(int depth) const {
  if (!speed_.known() || next_.tokens <= 0) return 0.0;
  const auto plan = plan_of({depth, plan_boundary()}, layers());
  if (!plan.ok()) return 0.0;
  PromptExtent prompt = next_;
  const int64_t in_full = boundary_ == QuestionInFull && about_picture_ ? text_tokens_ : 1;
  prompt.boundary_begin = std::max<int64_t>(0, prompt.tokens - in_full);
  return files_ms_ + speed_.ttft_ms(prompt, *plan);
}

double PopPanel::speedUp() const {
  if (layers() == 0) return 1.0;
  const int64_t tokens = next_.tokens > 0 ? next_.tokens : kTypicalTokens;
  return prefill_cost(engine_->facts().decoder, tokens, 0) /
         prefill_cost(engine_->facts().decoder, tokens, on_ ? depth_ : 0);
}

double PopPanel::expectedRise() const {
  return measured() && on_ ? importances_.expected_rise(depth_) : 0.0;
}

void PopPanel::chooseDepth() {
  if (!riseMeasured()) return;
  setDepth(importances_.deepest_within(mostRise()));
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
        if (!profile.ok() && !profile.error().cancelled) measure_error_ = reason_text(profile.error().message);
        emit measuringChanged();
      });
  emit measuringChanged();
}

void PopPanel::stopMeasuring() {
  if (measuring()) client_->stop(measure_job_);
}

double PopPanel::mostRise() const {
  return settings_->mostRise();
}

void PopPanel::setMostRise(double nats) {
  if (nats == mostRise()) return;
  settings_->setMostRise(nats);
  emit mostRiseChanged();
}

}  // namespace poplens::ui
