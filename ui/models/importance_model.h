// The importances of the model that is chosen, for the chart: one row a layer.
#pragma once

#include <optional>

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include "engine/pop/profile.h"
#include "ui/base/task_thread.h"

namespace poplens::ui {

class ImportanceModel : public QAbstractListModel {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by the program")
  Q_PROPERTY(int count READ count NOTIFY changed)
  Q_PROPERTY(int samples READ samples NOTIFY changed)
  Q_PROPERTY(double most READ most NOTIFY changed)
  Q_PROPERTY(double mostApart READ mostApart NOTIFY changed)
  Q_PROPERTY(QString error READ error NOTIFY changed)

 public:
  // In nats of an answer's loss. Attention and FFN have Fisher terms of their own: they do not add up to the layer's.
  enum Role {
    PrefillRole = Qt::UserRole + 1,
    DecodeRole,
    PrefillAttentionRole,
    PrefillFfnRole,
    DecodeAttentionRole,
    DecodeFfnRole
  };
  Q_ENUM(Role)

  explicit ImportanceModel(QString folder, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QHash<int, QByteArray> roleNames() const override;
  int count() const { return rowCount(); }

  // Looks for what was measured of this model: importance.json in its folder, or here under its name.
  void find(const QString& model_folder);
  void set(const ImportanceProfile& profile);
  // The model that is loaded now: a profile of another one, or of another state of its weights, is put aside.
  void loaded(const ModelFingerprint& model);
  // Where what is measured here of a model is kept.
  QString kept_at(const QString& model_folder) const;
  void setTextInFull(bool text_in_full);

  int samples() const { return static_cast<int>(profile_.samples); }
  // The largest importance of either stage.
  double most() const;
  // The same of attention on FFN's top.
  double mostApart() const;
  // One figure of a layer.
  Q_INVOKABLE double figure(int layer, poplens::ui::ImportanceModel::Role role) const;
  QString error() const { return error_; }
  // Of the loss, in nats an answer, when the last `depth` layers are pruned: as measured, or as the importances let
  // expect; 0 where there are none.
  double expected_rise(int depth) const;
  // Whether what pruning several layers costs was measured, for the boundary that is shown.
  bool rises_measured() const { return !prefill().suffix_rises.empty(); }
  // The deepest suffix whose pruning is expected, and was seen, to cost no more (auto_plan.h).
  int deepest_within(double rise) const;

 signals:
  void changed();

 private:
  void put_aside_foreign();
  const StageImportance& prefill() const;
  const StageImportance& decode() const;

  QString folder_;
  QString model_folder_;
  ImportanceProfile profile_;
  std::optional<ModelFingerprint> model_;  // nothing until it is loaded
  QString error_;
  bool text_in_full_ = true;
  TaskThread thread_;
};

}  // namespace poplens::ui
