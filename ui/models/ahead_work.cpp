#include "ui/models/ahead_work.h"

#include <algorithm>

#include "ui/engine/engine_client.h"

namespace poplens::ui {
namespace {

// A slider that moves must not begin a prefill at every step.
constexpr int kSettleMs = 250;
// Shares of the bar for encoding and prefill.
constexpr int kVisionPercent = 50;

}  // namespace

AheadWork::AheadWork(EngineClient* engine, std::function<std::optional<PrefillAheadJob>()> make_job, QObject* parent)
    : QObject(parent), engine_(engine), make_job_(std::move(make_job)) {
  settle_.setSingleShot(true);
  settle_.setInterval(kSettleMs);
  connect(&settle_, &QTimer::timeout, this, &AheadWork::begin);
  connect(engine, &EngineClient::happened, this, [this](quint64 job, const Event& event) {
    if (job == job_ && job != 0) take(event);
  });
  connect(engine, &EngineClient::prefilled_ahead, this, [this](quint64 job, const AheadDone& done) {
    if (job != job_) return;
    job_ = 0;
    done_ = done;
    emit changed();
  });
  connect(engine, &EngineClient::failed, this, [this](quint64 job, const Failure& failure) {
    // The question itself will meet the same obstacle, and say so.
    if (job != job_ || job == 0) return;
    job_ = 0;
    emit changed();
    if (!failure.cancelled) emit failed();
  });
}

void AheadWork::begin_anew() {
  discard();
  settle_.start();
}

void AheadWork::discard() {
  settle_.stop();
  if (job_ != 0) engine_->stop(job_);
  job_ = 0;
  percent_ = 0;
  done_ = {};
  emit changed();
}

AheadDone AheadWork::hand_over() {
  settle_.stop();
  AheadDone done = done_;
  job_ = 0;
  percent_ = 0;
  done_ = {};
  emit changed();
  return done;
}

void AheadWork::begin() {
  const auto job = make_job_();
  if (!job) return;
  job_ = engine_->prefill_ahead(*job);
  emit changed();
}

void AheadWork::take(const Event& event) {
  const auto* progress = std::get_if<StageProgress>(&event.what);
  if (progress == nullptr || progress->total <= 0) return;
  constexpr int kAll = 100;
  const auto part = static_cast<int>(progress->done * (kAll - kVisionPercent) / progress->total);
  const int percent = progress->stage == Stage::vision
                          ? static_cast<int>(progress->done * kVisionPercent / progress->total)
                          : kVisionPercent + part;
  if (percent == percent_) return;
  percent_ = std::clamp(percent, 0, kAll);
  emit changed();
}

}  // namespace poplens::ui
