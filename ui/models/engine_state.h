// Which model answers, and how it is: the line in the window's header.
#pragma once

#include <QObject>
#include <QtQml/qqmlregistration.h>

#include "ui/engine/jobs.h"

namespace poplens::ui {

class EngineClient;

class EngineState : public QObject {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by the program")
  Q_PROPERTY(poplens::ui::EngineState::State state READ state NOTIFY changed)
  Q_PROPERTY(QString model READ model NOTIFY changed)
  Q_PROPERTY(QString folder READ folder NOTIFY changed)
  Q_PROPERTY(QString detail READ detail NOTIFY changed)
  Q_PROPERTY(QString error READ error NOTIFY changed)
  Q_PROPERTY(int layers READ layers NOTIFY changed)
  Q_PROPERTY(bool readsPictures READ readsPictures NOTIFY changed)
  Q_PROPERTY(bool busy READ busy NOTIFY busyChanged)
  Q_PROPERTY(double loadedShare READ loadedShare NOTIFY loadProgressed)
  Q_PROPERTY(QString loadCaption READ loadCaption NOTIFY loadProgressed)

 public:
  enum State { Waiting, Loading, Ready, Failed };
  Q_ENUM(State)

  explicit EngineState(EngineClient* client, QObject* parent = nullptr);

  // What the next question will be asked of; it is loaded on first need, or by load().
  void choose(const ModelChoice& choice);
  const ModelChoice& choice() const { return choice_; }
  Q_INVOKABLE void load();
  Q_INVOKABLE void stopLoading();
  // Of the weights' bytes, 0 to 1, and in words.
  double loadedShare() const;
  QString loadCaption() const;

  State state() const { return state_; }
  QString model() const;
  QString folder() const { return choice_.folder; }
  QString detail() const;
  QString error() const { return error_; }
  int layers() const { return facts_.layers; }
  bool readsPictures() const { return facts_.layers == 0 || facts_.readsPictures; }
  bool busy() const;
  const ModelFacts& facts() const { return facts_; }

 signals:
  void changed();
  void busyChanged();
  void loadProgressed();
  void modelChosen(const QString& folder);
  void modelLoaded();

 private:
  EngineClient* client_;
  ModelChoice choice_;
  ModelFacts facts_;
  State state_ = Waiting;
  QString error_;
  quint64 load_job_ = 0;
  quint64 loading_job_ = 0;  // whose work loads the model now
  qint64 loaded_bytes_ = 0;
  qint64 bytes_to_load_ = 0;
};

}  // namespace poplens::ui
