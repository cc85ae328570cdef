#include "ui/models/stage_bar_model.h"

#include <algorithm>
#include <utility>

#include <QLocale>

namespace poplens::ui {
namespace {

constexpr int kTickMs = 33;
// A bar that has nothing to go by looks two thirds full.
constexpr double kRoom = 1.5;

StageBarModel::Part part_of(Stage stage) {
  switch (stage) {
    case Stage::image_decode:
    case Stage::preprocess:
      return StageBarModel::Image;
    case Stage::vision:
      return StageBarModel::Vision;
    case Stage::prefill:
      return StageBarModel::Prefill;
    case Stage::boundary:
      return StageBarModel::Boundary;
    default:
      return StageBarModel::FirstToken;
  }
}

QString note_of(const FromCache& cached) {
  const QString tokens = QLocale().toString(static_cast<qlonglong>(cached.tokens));
  if (cached.tokens == 0) return StageBarModel::tr("the picture's features come from the cache");
  if (cached.pictures == 0) return StageBarModel::tr("%1 tokens come from the cache").arg(tokens);
  return StageBarModel::tr("%1 tokens and the picture's features come from the cache").arg(tokens);
}

}  // namespace

StageBarModel::StageBarModel(QObject* parent) : QAbstractListModel(parent) {
  timer_.setInterval(kTickMs);
  connect(&timer_, &QTimer::timeout, this, &StageBarModel::tick);
}

int StageBarModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant StageBarModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_[index.row()];
  switch (role) {
    case PartRole:
      return row.part;
    case Qt::DisplayRole:
    case NameRole:
      return name_of_part(row.part);
    case MsRole:
      return row.ms;
    case RunningRole:
      return row.running;
    default:
      return {};
  }
}

QHash<int, QByteArray> StageBarModel::roleNames() const {
  return {{PartRole, "part"}, {NameRole, "name"}, {MsRole, "ms"}, {RunningRole, "stageRunning"}};
}

QString StageBarModel::name_of_part(Part part) {
  switch (part) {
    case Waiting:
      return tr("Waiting");
    case Image:
      return tr("Decode + resize");
    case Vision:
      return tr("Vision encoder");
    case Prefill:
      return tr("Prefill");
    case Boundary:
      return tr("Boundary");
    case FirstToken:
      return tr("First token");
  }
  return {};
}

double StageBarModel::elapsedMs() const {
  return elapsed_ms_;
}

QString StageBarModel::caption() const {
  QString seconds = tr("%1 s").arg(QLocale().toString(elapsed_ms_ / 1000.0, 'f', 2));
  const auto current = std::find_if(rows_.rbegin(), rows_.rend(), [](const Row& row) { return row.running; });
  if (current == rows_.rend()) return seconds;
  const QString name = name_of_part(current->part);
  if (progress_.total > 0 && part_of(progress_.stage) == current->part) {
    return tr("%1, layer %2 of %3 · %4").arg(name).arg(progress_.done).arg(progress_.total).arg(seconds);
  }
  return tr("%1 · %2").arg(name, seconds);
}

StageBarModel::Row* StageBarModel::row_of(Part part) {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.part >= part; });
  if (found != rows_.end() && found->part == part) return &*found;
  const auto place = static_cast<int>(found - rows_.begin());
  beginInsertRows({}, place, place);
  rows_.insert(place, {.part = part});
  endInsertRows();
  return &rows_[place];
}

void StageBarModel::run_only(Row* row) {
  for (Row& other : rows_) other.running = other.ahead = false;
  if (row != nullptr) row->running = true;
}

void StageBarModel::set_running(bool running) {
  if (running) {
    timer_.start();
  } else {
    timer_.stop();
  }
  if (running == running_) return;
  running_ = running;
  emit runningChanged();
}

void StageBarModel::changed() {
  if (!rows_.isEmpty()) emit dataChanged(index(0), index(static_cast<int>(rows_.size()) - 1), {MsRole, RunningRole});
  emit elapsedChanged();
}

void StageBarModel::begin(double expected_ms) {
  beginResetModel();
  rows_.clear();
  endResetModel();
  progress_ = {};
  note_.clear();
  image_decode_ms_ = 0.0;
  full_ms_ = expected_ms;
  elapsed_ms_ = last_tick_ms_ = 0.0;
  clock_.start();
  row_of(Waiting)->running = true;
  set_running(true);
  changed();
}

void StageBarModel::tick() {
  if (!running_) return;
  elapsed_ms_ = static_cast<double>(clock_.nsecsElapsed()) / 1e6;
  for (Row& row : rows_) {
    if (!row.running) continue;
    row.ms += elapsed_ms_ - last_tick_ms_;
    if (row.ahead) row.ahead_ms = row.ms;
  }
  last_tick_ms_ = elapsed_ms_;
  if (full_ms_ < elapsed_ms_) full_ms_ = std::max(full_ms_, elapsed_ms_ * kRoom);
  changed();
}

void StageBarModel::take(const Event& event) {
  if (!running_) return;
  tick();
  if (const auto* started = std::get_if<StageStarted>(&event.what)) {
    progress_ = {};
    if (started->stage == Stage::decode) {
      run_only(nullptr);
      set_running(false);
    } else {
      run_only(row_of(part_of(started->stage)));
    }
  } else if (const auto* finished = std::get_if<StageFinished>(&event.what)) {
    if (finished->stage == Stage::decode) return;
    Row* row = row_of(part_of(finished->stage));
    row->running = false;
    if (finished->stage == Stage::image_decode) image_decode_ms_ = finished->ms;
    row->ms = row->ahead_ms + finished->ms + (finished->stage == Stage::preprocess ? image_decode_ms_ : 0.0);
  } else if (const auto* progress = std::get_if<StageProgress>(&event.what)) {
    progress_ = *progress;
  } else if (const auto* cached = std::get_if<FromCache>(&event.what)) {
    note_ = note_of(*cached);
  }
  changed();
}

void StageBarModel::take_ahead(const Event& event) {
  if (!running_) return;
  tick();
  const auto* started = std::get_if<StageStarted>(&event.what);
  const auto* progress = std::get_if<StageProgress>(&event.what);
  if (progress != nullptr) progress_ = *progress;
  if (started != nullptr || progress != nullptr) {
    Row* row = row_of(part_of(started != nullptr ? started->stage : progress->stage));
    // What was waited for until now is the stage whose beginning was not seen.
    Row* waiting = row_of(Waiting);
    if (progress != nullptr && waiting->running) row->ms = std::exchange(waiting->ms, 0.0);
    run_only(row);
    row->ahead = true;
  } else if (std::holds_alternative<StageFinished>(event.what)) {
    progress_ = {};
    run_only(row_of(Waiting));
  }
  changed();
}

void StageBarModel::finish(const StageTimes& stages, double wait_ms) {
  // A wait too short to be seen is none.
  constexpr double kLeastWaitMs = 1.0;
  const QList<Row> all = {{Waiting, wait_ms < kLeastWaitMs ? 0.0 : wait_ms},
                          {Image, stages.image_decode_ms + stages.preprocess_ms},
                          {Vision, stages.vision_ms},
                          {Prefill, stages.prefill_ms},
                          {Boundary, stages.boundary_ms},
                          {FirstToken, stages.first_token_ms}};
  beginResetModel();
  rows_.clear();
  for (const Row& row : all) {
    if (row.ms > 0.0) rows_.append(row);
  }
  endResetModel();
  elapsed_ms_ = full_ms_ = total_ms(stages) + wait_ms;
  set_running(false);
  changed();
}

void StageBarModel::abandon() {
  tick();
  for (Row& row : rows_) row.running = false;
  set_running(false);
  changed();
}

}  // namespace poplens::ui
