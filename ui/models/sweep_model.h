// Time to first token and agreement with the full model, depth by depth: one row a depth.
#pragma once

#include <functional>
#include <optional>

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include "ui/engine/compare_job.h"

namespace poplens::ui {

class EngineClient;

class SweepModel : public QAbstractListModel {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by comparisons")
  Q_PROPERTY(int count READ count NOTIFY changed)
  Q_PROPERTY(bool running READ running NOTIFY runningChanged)
  Q_PROPERTY(int percent READ percent NOTIFY progressed)
  Q_PROPERTY(QString caption READ caption NOTIFY progressed)
  Q_PROPERTY(QString error READ error NOTIFY changed)
  Q_PROPERTY(int layers READ layers NOTIFY changed)
  Q_PROPERTY(double mostMs READ mostMs NOTIFY changed)
  Q_PROPERTY(int deepest READ deepest NOTIFY changed)
  Q_PROPERTY(double deepestMs READ deepestMs NOTIFY changed)

 public:
  enum Role { DepthRole = Qt::UserRole + 1, TtftRole, AgreementRole, KlRole, SpeedUpRole };
  Q_ENUM(Role)
  // What counts as agreement: the share of the full model's tokens before the answers part.
  static constexpr double kEnoughAgreement = 0.97;

  // `make_job` gives the question that is compared now, or nothing.
  SweepModel(EngineClient* engine, std::function<std::optional<CompareJob>()> make_job, QObject* parent = nullptr);
  ~SweepModel() override;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QHash<int, QByteArray> roleNames() const override;
  int count() const { return rowCount(); }

  bool running() const { return job_ != 0; }
  int percent() const { return percent_; }
  QString caption() const { return caption_; }
  QString error() const { return error_; }
  int layers() const { return count() > 0 ? outcome_.sides.first().figures.layers : 0; }
  double mostMs() const;
  // The deepest plan of which no shallower one agrees too little; 0: none but the full model.
  int deepest() const;
  double deepestMs() const;
  const CompareOutcome& outcome() const { return outcome_; }

  Q_INVOKABLE void start();
  Q_INVOKABLE void stop();
  void clear();

 signals:
  void changed();
  void runningChanged();
  void progressed();

 private:
  void take(const ComparisonStep& step);
  void finish(const Result<CompareOutcome>& outcome);
  int deepest_row() const;

  EngineClient* engine_;
  std::function<std::optional<CompareJob>()> make_job_;
  quint64 job_ = 0;
  quint64 ticket_ = 0;
  int runs_ = 1;
  int percent_ = 0;
  QString caption_;
  QString error_;
  CompareOutcome outcome_;
};

}  // namespace poplens::ui
