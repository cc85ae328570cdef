#include "ui/models/engine_state.h"

#include <utility>

#include <QLocale>

#include "ui/engine/engine_client.h"
#include "ui/i18n/reason_text.h"
#include "ui/models/device_text.h"

namespace poplens::ui {

EngineState::EngineState(EngineClient* client, QObject* parent) : QObject(parent), client_(client) {
  connect(client, &EngineClient::busyChanged, this, &EngineState::busyChanged);
  connect(client, &EngineClient::loading, this, [this](quint64 job, const QString& folder) {
    if (folder != choice_.folder) return;
    loading_job_ = job;
    loaded_bytes_ = bytes_to_load_ = 0;
    state_ = Loading;
    error_.clear();
    emit changed();
  });
  connect(client, &EngineClient::loadProgressed, this, [this](quint64 job, qint64 done, qint64 total) {
    if (job != loading_job_) return;
    loaded_bytes_ = done;
    bytes_to_load_ = total;
    emit loadProgressed();
  });
  connect(client, &EngineClient::loaded, this, [this](quint64, const ModelFacts& facts) {
    if (facts.folder != choice_.folder) return;
    facts_ = facts;
    state_ = Ready;
    emit changed();
    emit modelLoaded();
  });
  connect(client, &EngineClient::failed, this, [this](quint64 job, const Failure& failure) {
    if (state_ != Loading && job != load_job_) return;
    state_ = failure.cancelled ? Waiting : Failed;
    error_ = reason_text(failure.reason);
    emit changed();
  });
}

void EngineState::choose(const ModelChoice& choice) {
  if (choice == choice_) return;
  // What nobody waits for any longer need not be read to its end.
  client_->stop(std::exchange(load_job_, 0));
  choice_ = choice;
  facts_ = {};
  error_.clear();
  state_ = Waiting;
  emit changed();
  emit modelChosen(choice.folder);
}

void EngineState::load() {
  if (!choice_.folder.isEmpty()) load_job_ = client_->load(choice_);
}

void EngineState::stopLoading() {
  if (state_ == Loading) client_->stop(loading_job_);
}

double EngineState::loadedShare() const {
  return bytes_to_load_ > 0 ? static_cast<double>(loaded_bytes_) / static_cast<double>(bytes_to_load_) : 0.0;
}

QString EngineState::loadCaption() const {
  const auto size = [](qint64 bytes) { return QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeSIFormat); };
  return bytes_to_load_ > 0 ? tr("loading … %1 of %2").arg(size(loaded_bytes_), size(bytes_to_load_)) : tr("loading …");
}

bool EngineState::busy() const {
  return client_->busy();
}

QString EngineState::model() const {
  return choice_.folder.section('/', -1, -1, QString::SectionSkipEmpty);
}

QString EngineState::detail() const {
  switch (state_) {
    case Waiting:
      return choice_.folder.isEmpty() ? tr("no model chosen") : tr("loads when it is needed");
    case Loading:
      return tr("loading …");
    case Failed:
      return tr("cannot be loaded");
    case Ready:
      break;
  }
  return tr("%1 · %2").arg(device_text(facts_.device),
                           QLocale().formattedDataSize(facts_.weightsBytes, 1, QLocale::DataSizeSIFormat));
}

}  // namespace poplens::ui
