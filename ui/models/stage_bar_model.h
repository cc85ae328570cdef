// What one answer waited for, stage by stage: grows while it runs, and stays as its breakdown.
#pragma once

#include <QAbstractListModel>
#include <QElapsedTimer>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include "ui/engine/jobs.h"

namespace poplens::ui {

class StageBarModel : public QAbstractListModel {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by messages")
  Q_PROPERTY(bool running READ running NOTIFY runningChanged)
  Q_PROPERTY(double elapsedMs READ elapsedMs NOTIFY elapsedChanged)
  Q_PROPERTY(double fullMs READ fullMs NOTIFY elapsedChanged)
  Q_PROPERTY(QString caption READ caption NOTIFY elapsedChanged)
  Q_PROPERTY(QString note READ note NOTIFY elapsedChanged)

 public:
  // Where a bar's part gets its colour and name from. Decoding and resizing a picture are one part.
  // Waiting is what passes before the session begins.
  enum Part { Waiting, Image, Vision, Prefill, Boundary, FirstToken };
  Q_ENUM(Part)
  enum Role { PartRole = Qt::UserRole + 1, NameRole, MsRole, RunningRole };

  explicit StageBarModel(QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QHash<int, QByteArray> roleNames() const override;

  // From pressing send: the clock starts. `expected_ms` (0: unknown) is how long the whole is likely to take.
  void begin(double expected_ms);
  void take(const Event& event);
  // Of work begun ahead that the answer waits for: from now on its stages run, of which the beginning need not have
  // been seen, so that they count by the clock.
  void take_ahead(const Event& event);
  // The measured stages replace what was seen of them.
  void finish(const StageTimes& stages, double wait_ms);
  // Ended without an answer: what was seen stays.
  void abandon();

  bool running() const { return running_; }
  // Until now, or the first token.
  double elapsedMs() const;
  // What the bar's whole width stands for; never shrinks while running.
  double fullMs() const { return full_ms_; }
  QString caption() const;
  // What came from the cache, while it runs.
  QString note() const { return note_; }

  static QString name_of_part(Part part);

 signals:
  void runningChanged();
  void elapsedChanged();

 private:
  struct Row {
    Part part = Waiting;
    double ms = 0.0;
    bool running = false;
    bool ahead = false;     // runs as work begun ahead
    double ahead_ms = 0.0;  // of `ms`
  };
  void tick();
  // Nothing but `row` runs from now on.
  void run_only(Row* row);
  Row* row_of(Part part);
  void set_running(bool running);
  void changed();

  QList<Row> rows_;
  bool running_ = false;
  double full_ms_ = 0.0;
  double last_tick_ms_ = 0.0;
  double image_decode_ms_ = 0.0;
  QString note_;
  StageProgress progress_;
  QElapsedTimer clock_;
  double elapsed_ms_ = 0.0;
  QTimer timer_;
};

}  // namespace poplens::ui
