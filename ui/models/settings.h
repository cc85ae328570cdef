// What a person has chosen for the whole program. Kept in the chat store.
#pragma once

#include <QHash>
#include <QObject>
#include <QtQml/qqmlregistration.h>

#include "ui/engine/jobs.h"

namespace poplens::ui {

class ChatStore;

class Settings : public QObject {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by the program")
  Q_PROPERTY(poplens::ui::Settings::Scheme scheme READ scheme WRITE setScheme NOTIFY changed)
  Q_PROPERTY(bool prefillAhead READ prefillAhead WRITE setPrefillAhead NOTIFY changed)
  Q_PROPERTY(bool showMarks READ showMarks WRITE setShowMarks NOTIFY changed)
  Q_PROPERTY(double temperature READ temperature WRITE setTemperature NOTIFY changed)
  Q_PROPERTY(int maxTokens READ maxTokens WRITE setMaxTokens NOTIFY changed)
  Q_PROPERTY(int threads READ threads WRITE setThreads NOTIFY changed)

 public:
  enum Scheme { System, Light, Dark };
  Q_ENUM(Scheme)

  explicit Settings(ChatStore* store, QObject* parent = nullptr);

  Scheme scheme() const;
  void setScheme(Scheme scheme);
  bool prefillAhead() const;
  void setPrefillAhead(bool on);
  // Whether boxes and points are drawn over the pictures.
  bool showMarks() const;
  void setShowMarks(bool on);
  double temperature() const;
  void setTemperature(double temperature);
  int maxTokens() const;
  void setMaxTokens(int tokens);
  int threads() const;
  void setThreads(int threads);

  // What the POP panel was left at: whether plans are used, PopPanel::Boundary, the rise that Auto allows (nats an
  // answer), and the depth that was chosen for a model, -1 where none was.
  bool popOn() const;
  void setPopOn(bool on);
  int popBoundary() const;
  void setPopBoundary(int boundary);
  double mostRise() const;
  void setMostRise(double nats);
  int pop_depth(const QString& model_folder) const;
  void set_pop_depth(const QString& model_folder, int depth);

  QString model() const;
  void set_model(const QString& folder);
  QStringList model_folders() const;
  void set_model_folders(const QStringList& folders);

  // Where a new conversation's answers begin from.
  SamplingChoice sampling() const;

 signals:
  void changed();
  // What was kept is here.
  void ready();

 private:
  QString value(const QString& name, const QString& otherwise = {}) const;
  void set(const QString& name, const QString& value);

  ChatStore* store_;
  QHash<QString, QString> values_;
};

}  // namespace poplens::ui
