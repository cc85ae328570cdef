#include "ui/models/compare.h"

#include <algorithm>

#include "ui/engine/engine_client.h"
#include "ui/i18n/reason_text.h"
#include "ui/models/chat.h"
#include "ui/models/engine_state.h"
#include "ui/models/pop_panel.h"

namespace poplens::ui {
namespace {

constexpr int kMostRuns = 20;

}  // namespace

Compare::Compare(const CompareSurroundings& surroundings, QObject* parent)
    : QObject(parent),
      with_(surroundings),
      sweep_(surroundings.engine, [this] { return job(); }),
      writer_(QStringLiteral("exports")) {
  connect(with_.engine, &EngineClient::compared, this,
          [this](quint64 ticket, const ComparisonStep& step, const Event& event) {
            if (ticket == ticket_ && running()) take(step, event);
          });
  connect(with_.pop, &PopPanel::planChanged, this, &Compare::optionsChanged);
  connect(with_.pop, &PopPanel::layersChanged, this, &Compare::optionsChanged);
  // Figures of one model do not stand beside another's.
  connect(with_.state, &EngineState::modelChosen, this, &Compare::clear);
  for (CompareSide* side : {&full_, &pop_}) {
    connect(side->stages(), &StageBarModel::elapsedChanged, this, &Compare::scaleChanged);
  }
}

Compare::~Compare() {
  stop();
}

QVariantList Compare::pictures() const {
  QVariantList list;
  for (const SentPicture& picture : pictures_) list.append(QVariant::fromValue(picture));
  return list;
}

void Compare::setRuns(int runs) {
  runs = std::clamp(runs, 1, kMostRuns);
  if (runs == options_.runs) return;
  options_.runs = runs;
  emit optionsChanged();
}

void Compare::setShareFeatures(bool share) {
  if (share == options_.share_features) return;
  options_.share_features = share;
  emit optionsChanged();
}

int Compare::depth() const {
  if (with_.pop->on() && with_.pop->depth() > 0) return with_.pop->depth();
  return with_.state->layers() > 0 ? with_.state->layers() / 3 : -1;
}

const Difference& Compare::difference() const {
  static const Difference none;
  return done() ? outcome_.sides[1].fromFull : none;
}

int Compare::sameTokens() const {
  if (!done()) return 0;
  const auto& divergence = difference().divergence;
  return divergence ? static_cast<int>(*divergence) : full_.figures().answerTokens;
}

double Compare::scaleMs() const {
  if (done()) return std::max(full_.figures().ttftMs, pop_.figures().ttftMs);
  return std::max(full_.stages().fullMs(), pop_.stages().fullMs());
}

QString Compare::method() const {
  if (!done()) return {};
  const int runs = outcome_.options.runs;
  QStringList parts = {
      tr("seed %1").arg(sampling_.seed),
      runs == 1 ? tr("one warm-up and 1 run each") : tr("one warm-up and %1 runs each, order alternating").arg(runs)};
  parts.append(outcome_.featuresShared ? tr("picture features shared, no prompt cache") : tr("nothing from a cache"));
  return parts.join(QStringLiteral(" · "));
}

void Compare::openAnswer(int row) {
  open(with_.chat->turns_before(row));
}

void Compare::openCurrent() {
  if (running()) return;
  MessageListModel* messages = with_.chat->messages();
  int row = messages->count();
  while (row > 0 && !messages->at(row - 1)->question()) --row;
  if (row > 0) return open(with_.chat->turns_before(row));
  AttachmentListModel* attachments = with_.chat->attachments();
  const bool written = !with_.chat->draft().trimmed().isEmpty();
  if (!attachments->ready() || !(written || attachments->count() > 0)) return open({});
  QList<Turn> turns = with_.chat->turns_before(0);
  turns.append({"user", with_.chat->draft().trimmed(), attachments->pictures()});
  open(turns);
}

void Compare::open(const QList<Turn>& turns) {
  if (running() || (turns == turns_ && with_.chat->sampling() == sampling_)) return;
  turns_ = turns;
  sampling_ = with_.chat->sampling();
  question_ = turns.isEmpty() ? QString() : turns.last().text;
  pictures_.clear();
  for (const Turn& turn : turns) pictures_.append(turn.pictures);
  clear();
  emit questionChanged();
}

void Compare::clear() {
  stop();
  outcome_ = {};
  error_.clear();
  exported_.clear();
  full_.clear();
  pop_.clear();
  sweep_.clear();
  emit resultChanged();
  emit scaleChanged();
  emit exportedChanged();
}

std::optional<CompareJob> Compare::job() const {
  if (!hasQuestion() || with_.state->choice().folder.isEmpty()) return std::nullopt;
  return CompareJob{
      .ask = {.model = with_.state->choice(), .turns = turns_, .plan = with_.pop->plan(), .sampling = sampling_},
      .depths = {0, depth()},
      .options = options_};
}

void Compare::start() {
  const std::optional<CompareJob> wanted = job();
  if (running() || !wanted) return;
  outcome_ = {};
  error_.clear();
  exported_.clear();
  full_.clear();
  pop_.clear();
  step_ = {.side = SIZE_MAX};
  percent_ = 0;
  caption_ = tr("waiting for the engine …");
  with_.state->load();
  const quint64 ticket = ticket_ = with_.engine->new_ticket();
  job_ = with_.engine->run(
      this,
      [engine = with_.engine, ticket, job = *wanted](EngineRoom& room, const std::stop_token& stop) {
        const auto sink = [&](const ComparisonStep& step, const Event& event) {
          emit engine->compared(ticket, step, event);
        };
        return run_compare_job(room, job, sink, stop);
      },
      [this](const Result<CompareOutcome>& outcome) { finish(outcome); });
  emit resultChanged();
  emit exportedChanged();
  emit runningChanged();
  emit progressed();
}

void Compare::take(const ComparisonStep& step, const Event& event) {
  CompareSide& side = step.side == 0 ? full_ : pop_;
  if (step.side != step_.side || step.run != step_.run) {
    step_ = step;
    constexpr size_t kAll = 100;
    percent_ = static_cast<int>(step.done * kAll / step.total);
    const QString who = step.side == 0 ? tr("full model") : tr("POP");
    caption_ = step.run < 0 ? tr("Warming up, %1 … %2 %").arg(who).arg(percent_)
                            : tr("Run %1 of %2, %3 … %4 %").arg(step.run + 1).arg(options_.runs).arg(who).arg(percent_);
    side.begin_run();
    emit progressed();
  }
  side.take(step, event);
}

void Compare::finish(const Result<CompareOutcome>& outcome) {
  job_ = 0;
  if (outcome.ok()) {
    outcome_ = *outcome;
    const ComparedFigures& full = outcome_.sides[0];
    const ComparedFigures& pop = outcome_.sides[1];
    const TextDifference marks = difference_between(full.text, pop.text);
    full_.finish(full, marks.a);
    pop_.finish(pop, marks.b);
  } else {
    full_.abandon();
    pop_.abandon();
    error_ = outcome.error().cancelled ? tr("Stopped before it was done.") : reason_text(outcome.error().message);
  }
  emit resultChanged();
  emit scaleChanged();
  emit runningChanged();
}

void Compare::stop() {
  if (running()) with_.engine->stop(job_);
}

void Compare::useDepth(int depth) {
  with_.pop->setOn(depth > 0);
  if (depth > 0) with_.pop->setDepth(depth);
}

ComparisonRecord Compare::record() const {
  return {.question = question_,
          .pictures = pictures_,
          .sampling = sampling_,
          .compared = outcome_,
          .sweep = sweep_.outcome()};
}

template <typename Write>
void Compare::write(const QUrl& file, Write write) {
  const QString path = file.toLocalFile();
  writer_.run(
      this, [path, bytes_of = std::move(write)] { return write_export(path, bytes_of()); },
      [this, path](const Result<void>& written) {
        exported_ = written.ok() ? tr("Written to %1").arg(path) : reason_text(written.error().message);
        emit exportedChanged();
      });
}

void Compare::exportTo(const QUrl& file) {
  const bool csv = file.fileName().endsWith(QLatin1String(".csv"), Qt::CaseInsensitive);
  write(file, [record = record(), csv] { return csv ? to_csv(record) : to_json(record); });
}

void Compare::exportPicture(const QUrl& file, const QVariant& picture) {
  write(file, [image = picture.value<QImage>()] { return to_png(image); });
}

}  // namespace poplens::ui
