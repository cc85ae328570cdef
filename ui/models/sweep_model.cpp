#include "ui/models/sweep_model.h"

#include <algorithm>

#include "ui/engine/engine_client.h"
#include "ui/i18n/reason_text.h"

namespace poplens::ui {

SweepModel::SweepModel(EngineClient* engine, std::function<std::optional<CompareJob>()> make_job, QObject* parent)
    : QAbstractListModel(parent), engine_(engine), make_job_(std::move(make_job)) {
  connect(engine, &EngineClient::compared, this, [this](quint64 ticket, const ComparisonStep& step) {
    if (ticket == ticket_ && running()) take(step);
  });
}

SweepModel::~SweepModel() {
  stop();
}

int SweepModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(outcome_.sides.size());
}

QVariant SweepModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const ComparedFigures& side = outcome_.sides[index.row()];
  switch (role) {
    case Qt::DisplayRole:
    case DepthRole:
      return side.figures.prunedLayers;
    case TtftRole:
      return side.figures.ttftMs;
    case AgreementRole:
      return side.fromFull.agreement;
    case KlRole:
      return side.fromFull.first_token_kl;
    case SpeedUpRole:
      return side.fromFull.ttft_ratio;
    default:
      return {};
  }
}

QHash<int, QByteArray> SweepModel::roleNames() const {
  return {{DepthRole, "depth"},
          {TtftRole, "ttftMs"},
          {AgreementRole, "agreement"},
          {KlRole, "kl"},
          {SpeedUpRole, "speedUp"}};
}

double SweepModel::mostMs() const {
  double most = 0.0;
  for (const ComparedFigures& side : outcome_.sides) most = std::max(most, side.figures.ttftMs);
  return most;
}

int SweepModel::deepest_row() const {
  int row = -1;
  while (row + 1 < count() && outcome_.sides[row + 1].fromFull.agreement >= kEnoughAgreement) ++row;
  return row;
}

int SweepModel::deepest() const {
  return deepest_row() < 0 ? 0 : outcome_.sides[deepest_row()].figures.prunedLayers;
}

double SweepModel::deepestMs() const {
  return deepest_row() < 0 ? 0.0 : outcome_.sides[deepest_row()].figures.ttftMs;
}

void SweepModel::start() {
  if (running()) return;
  std::optional<CompareJob> job = make_job_();
  if (!job) return;
  job->sweep = true;
  runs_ = job->options.runs;
  percent_ = 0;
  caption_ = tr("waiting for the engine …");
  error_.clear();
  const quint64 ticket = ticket_ = engine_->new_ticket();
  job_ = engine_->run(
      this,
      [engine = engine_, ticket, job = *job](EngineRoom& room, const std::stop_token& stop) {
        const auto sink = [&](const ComparisonStep& step, const Event& event) {
          if (std::holds_alternative<StageFinished>(event.what)) emit engine->compared(ticket, step, event);
        };
        return run_compare_job(room, job, sink, stop);
      },
      [this](const Result<CompareOutcome>& outcome) { finish(outcome); });
  emit runningChanged();
  emit progressed();
  emit changed();
}

void SweepModel::take(const ComparisonStep& step) {
  constexpr size_t kAll = 100;
  percent_ = static_cast<int>(step.done * kAll / step.total);
  caption_ = step.run < 0 ? tr("Warming up … %1 %").arg(percent_)
                          : tr("Run %1 of %2 … %3 %").arg(step.run + 1).arg(runs_).arg(percent_);
  emit progressed();
}

void SweepModel::finish(const Result<CompareOutcome>& outcome) {
  job_ = 0;
  if (outcome.ok()) {
    beginResetModel();
    outcome_ = *outcome;
    endResetModel();
  } else if (!outcome.error().cancelled) {
    error_ = reason_text(outcome.error().message);
  }
  emit changed();
  emit runningChanged();
}

void SweepModel::stop() {
  if (running()) engine_->stop(job_);
}

void SweepModel::clear() {
  stop();
  if (count() == 0 && error_.isEmpty()) return;
  beginResetModel();
  outcome_ = {};
  error_.clear();
  endResetModel();
  emit changed();
}

}  // namespace poplens::ui
