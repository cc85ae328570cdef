#include "ui/engine/engine_client.h"

#include "ui/engine/background_priority.h"
#include "ui/engine/engine_room.h"

namespace poplens::ui {
namespace {

Failure failure_of(const Error& error) {
  return {QString::fromStdString(error.message), error.cancelled};
}

}  // namespace

EngineClient::EngineClient(PictureFolder pictures, QObject* parent)
    : QObject(parent),
      room_(std::make_unique<EngineRoom>(std::move(pictures), thread_)),
      thread_(QStringLiteral("engine"), lower_thread_priority) {}

EngineClient::~EngineClient() {
  stop_all();
}

quint64 EngineClient::begin() {
  const quint64 job = ++last_job_;
  stops_.insert(job, std::stop_source());
  if (stops_.size() == 1) emit busyChanged();
  emit began(job);
  return job;
}

void EngineClient::end(quint64 job) {
  if (stops_.remove(job) > 0 && stops_.isEmpty()) emit busyChanged();
}

void EngineClient::stop(quint64 job) {
  if (const auto found = stops_.find(job); found != stops_.end()) found->request_stop();
}

void EngineClient::stop_all() {
  for (std::stop_source& source : stops_) source.request_stop();
}

quint64 EngineClient::load(const ModelChoice& choice) {
  const quint64 job = begin();
  thread_.run(
      this,
      [this, job, choice, stop = stops_[job].get_token()]() -> Result<ModelFacts> {
        if (stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};
        return load_now(job, choice, stop);
      },
      [this, job](Result<ModelFacts> facts) {
        end(job);
        if (facts.ok()) {
          emit loaded(job, *facts);
        } else {
          emit failed(job, failure_of(facts.error()));
        }
      });
  return job;
}

Result<ModelFacts> EngineClient::load_now(quint64 job, const ModelChoice& model, const std::stop_token& stop) {
  if (room_->has(model)) return room_->facts();
  emit loading(job, model.folder);
  const auto on_progress = [&](qint64 done, qint64 total) { emit loadProgressed(job, done, total); };
  return room_->load(model, on_progress, stop);
}

Result<void> EngineClient::make_ready(quint64 job, const ModelChoice& model, const std::stop_token& stop) {
  if (room_->has(model)) return {};
  POPLENS_TRY(facts, load_now(job, model, stop));
  emit loaded(job, facts);
  return {};
}

quint64 EngineClient::ask(AskJob job) {
  job.id = begin();
  job.stop = stops_[job.id].get_token();
  const quint64 id = job.id;
  thread_.run(
      this,
      [this, job = std::move(job)]() -> Result<AskAnswer> {
        if (!job.stop.stop_requested()) POPLENS_CHECK(make_ready(job.id, job.model, job.stop));
        return room_->ask(job, [&](const Event& event) { emit happened(job.id, event); });
      },
      [this, id](Result<AskAnswer> answer) {
        end(id);
        if (answer.ok()) {
          emit answered(id, *answer);
        } else {
          emit failed(id, failure_of(answer.error()));
        }
      });
  return id;
}

quint64 EngineClient::prefill_ahead(PrefillAheadJob job) {
  job.id = begin();
  job.stop = stops_[job.id].get_token();
  const quint64 id = job.id;
  thread_.run(
      this,
      [this, job = std::move(job)]() -> Result<AheadDone> {
        if (!job.stop.stop_requested()) POPLENS_CHECK(make_ready(job.id, job.model, job.stop));
        return room_->prefill_ahead(job, [&](const Event& event) { emit happened(job.id, event); });
      },
      [this, id](Result<AheadDone> done) {
        end(id);
        if (done.ok()) {
          emit prefilled_ahead(id, *done);
        } else {
          emit failed(id, failure_of(done.error()));
        }
      });
  return id;
}

}  // namespace poplens::ui
