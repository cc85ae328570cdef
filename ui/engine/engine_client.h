// The engine, seen from the user interface's thread: jobs go in as values, what happens comes back as signals.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>

#include <QHash>
#include <QObject>

#include "engine/base/result.h"
#include "engine/session/comparison.h"
#include "ui/base/task_thread.h"
#include "ui/engine/jobs.h"

namespace poplens::ui {

class EngineRoom;
class PictureFolder;

class EngineClient : public QObject {
  Q_OBJECT

 public:
  explicit EngineClient(PictureFolder pictures, QObject* parent = nullptr);
  // Stops what runs and waits for its end (at most about a layer).
  ~EngineClient() override;

  quint64 load(const ModelChoice& choice);
  quint64 ask(AskJob job);
  quint64 prefill_ahead(PrefillAheadJob job);
  // Takes effect at once, also on a job that has not begun.
  void stop(quint64 job);
  void stop_all();
  bool busy() const { return !stops_.isEmpty(); }
  // Tells apart the comparisons whose events compared() reports.
  quint64 new_ticket() { return ++last_ticket_; }

  // Anything else that needs the engine: runs on its thread, in turn. `work` sees the stop token of the job.
  template <typename Work, typename Then>
  quint64 run(QObject* receiver, Work work, Then then) {
    const quint64 job = begin();
    const std::stop_token stop = stops_[job].get_token();
    thread_.run(
        receiver, [this, work = std::move(work), stop]() mutable { return work(*room_, stop); },
        [this, job, then = std::move(then)](auto result) mutable {
          end(job);
          then(std::move(result));
        });
    return job;
  }

 signals:
  void busyChanged();
  // A job of any kind was given in.
  void began(quint64 job);
  void loading(quint64 job, const QString& folder);
  void loadProgressed(quint64 job, qint64 doneBytes, qint64 totalBytes);
  void loaded(quint64 job, const poplens::ui::ModelFacts& facts);
  void happened(quint64 job, const poplens::Event& event);
  // Of the comparison that was given this ticket.
  void compared(quint64 ticket, const poplens::ComparisonStep& step, const poplens::Event& event);
  void answered(quint64 job, const poplens::ui::AskAnswer& answer);
  void prefilled_ahead(quint64 job, const poplens::ui::AheadDone& done);
  void failed(quint64 job, const poplens::ui::Failure& failure);

 private:
  quint64 begin();
  void end(quint64 job);
  // Both on the engine's thread. The model is there after make_ready(), and the window knows.
  Result<ModelFacts> load_now(quint64 job, const ModelChoice& model, const std::stop_token& stop);
  Result<void> make_ready(quint64 job, const ModelChoice& model, const std::stop_token& stop);

  quint64 last_job_ = 0;
  quint64 last_ticket_ = 0;
  QHash<quint64, std::stop_source> stops_;
  std::unique_ptr<EngineRoom> room_;  // touched on thread_ only
  TaskThread thread_;                 // ends before the room goes
};

}  // namespace poplens::ui
