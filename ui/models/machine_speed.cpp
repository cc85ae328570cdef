#include "ui/models/machine_speed.h"

#include "ui/engine/engine_client.h"
#include "ui/engine/speed_job.h"
#include "ui/models/engine_state.h"

namespace poplens::ui {
namespace {

// The engine is taken for idle when nothing has been asked of it for so long.
constexpr int kIdleMs = 300;

}  // namespace

MachineSpeed::MachineSpeed(EngineState* engine, EngineClient* client, QObject* parent)
    : QObject(parent), engine_(engine), client_(client) {
  settle_.setSingleShot(true);
  settle_.setInterval(kIdleMs);
  connect(&settle_, &QTimer::timeout, this, &MachineSpeed::measure);
  connect(engine, &EngineState::modelChosen, this, &MachineSpeed::forget);
  connect(engine, &EngineState::modelLoaded, this, [this] {
    forget();
    wanted_ = true;
    settle_.start();
  });
  connect(client, &EngineClient::began, this, [this](quint64 job) {
    settle_.stop();
    if (job_ != 0 && job != job_) client_->stop(job_);
  });
  connect(client, &EngineClient::busyChanged, this, [this] {
    if (wanted_ && !client_->busy()) settle_.start();
  });
  connect(client, &EngineClient::answered, this, [this](quint64, const AskAnswer& answer) { learn(answer.computed); });
  connect(client, &EngineClient::prefilled_ahead, this,
          [this](quint64, const AheadDone& done) { learn(done.computed); });
}

double MachineSpeed::ttft_ms(const PromptExtent& prompt, const PopPlan& plan) const {
  return predicted_ttft_ms(*speed_, engine_->facts().decoder, prompt, plan);
}

void MachineSpeed::forget() {
  if (job_ != 0) client_->stop(job_);
  wanted_ = false;
  settle_.stop();
  if (!speed_) return;
  speed_.reset();
  emit changed();
}

void MachineSpeed::learn(const ComputedPrompt& prompt) {
  if (!speed_) return;
  poplens::learn(*speed_, engine_->facts().decoder, prompt);
  emit changed();
}

void MachineSpeed::measure() {
  if (!wanted_ || client_->busy()) return;
  const ModelChoice model = engine_->choice();
  job_ = client_->run(
      this, [model](EngineRoom& room, const std::stop_token& stop) { return find_speed(room, model, stop); },
      [this, model](Result<MeasuredSpeed> speed) {
        job_ = 0;
        if (model != engine_->choice()) return;
        // Stopped by another job: measured after it. Too little memory: there will be no prediction.
        wanted_ = !speed.ok() && speed.error().cancelled;
        if (!speed.ok()) return;
        speed_ = *std::move(speed);
        emit changed();
      });
}

}  // namespace poplens::ui
