// Eager prefill: what is attached is encoded and prefilled while the question is being typed.
#pragma once

#include <functional>

#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include "ui/engine/jobs.h"

namespace poplens::ui {

class EngineClient;

class AheadWork : public QObject {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by the program")
  Q_PROPERTY(bool running READ running NOTIFY changed)
  Q_PROPERTY(int percent READ percent NOTIFY changed)
  Q_PROPERTY(bool done READ done NOTIFY changed)

 public:
  // `make_job` gives what is to be prefilled now, or nothing.
  AheadWork(EngineClient* engine, std::function<std::optional<PrefillAheadJob>()> make_job, QObject* parent = nullptr);

  // What would be sent is another than before: drops what was begun for it and begins anew, once nothing has changed
  // for a moment.
  void begin_anew();
  void discard();
  // The question is sent: gives up what was done for it, and leaves what still runs to be waited for.
  AheadDone hand_over();

  bool running() const { return job_ != 0; }
  bool done() const { return job_ == 0 && done_.tokens > 0; }
  int percent() const { return percent_; }
  quint64 job() const { return job_; }

 signals:
  void changed();
  // It could not be done, and nobody stopped it.
  void failed();

 private:
  void begin();
  void take(const Event& event);

  EngineClient* engine_;
  std::function<std::optional<PrefillAheadJob>()> make_job_;
  QTimer settle_;
  quint64 job_ = 0;
  int percent_ = 0;
  AheadDone done_;
};

}  // namespace poplens::ui
