// The models that lie on this machine, one row each: what it is, what it needs, and why it cannot be loaded.
#pragma once

#include <stop_token>

#include <QAbstractListModel>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

#include "ui/base/task_thread.h"
#include "ui/engine/model_search.h"

namespace poplens::ui {

class EngineState;
class Settings;

class ModelListModel : public QAbstractListModel {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by the program")
  Q_PROPERTY(int count READ count NOTIFY changed)
  Q_PROPERTY(bool looking READ looking NOTIFY changed)
  Q_PROPERTY(QString machine READ machine NOTIFY changed)
  Q_PROPERTY(QStringList folders READ folders NOTIFY changed)

 public:
  enum State { Loadable, Chosen, Loading, InUse, Failed, NotLoadable };
  Q_ENUM(State)
  enum Role {
    NameRole = Qt::UserRole + 1,
    PathRole,
    OriginRole,
    DetailRole,
    MemoryRole,
    MemoryShareRole,
    ReasonRole,
    AdviceRole,
    StateRole
  };

  // `bundled`: folders that hold the models that come with the program.
  ModelListModel(EngineState* engine, Settings* settings, const QStringList& bundled, QObject* parent = nullptr);
  // Stops looking and waits for its end.
  ~ModelListModel() override;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QHash<int, QByteArray> roleNames() const override;
  int count() const { return rowCount(); }

  bool looking() const { return looking_; }
  // "CPU, 8 threads · 31.2 GB of memory free"
  QString machine() const;
  // Those that a person has added.
  QStringList folders() const;

  Q_INVOKABLE void refresh();
  Q_INVOKABLE void load(int row);
  Q_INVOKABLE void addFolder(const QUrl& folder);
  Q_INVOKABLE void removeFolder(const QString& folder);

 signals:
  void changed();

 private:
  void take(ModelsFound found);
  State state_of(const FoundModel& model) const;
  QString reason_of(const FoundModel& model) const;

  EngineState* engine_;
  Settings* settings_;
  QStringList bundled_;
  ModelsFound found_;
  bool looking_ = false;
  std::stop_source stop_;
  TaskThread thread_;
};

}  // namespace poplens::ui
