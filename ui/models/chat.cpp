#include "ui/models/chat.h"

#include <utility>

#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>
#include <QLocale>
#include <QMimeData>
#include <QRegularExpression>
#include <QUuid>

#include "ui/base/long_run.h"
#include "ui/engine/engine_client.h"
#include "ui/models/conversation_list_model.h"
#include "ui/models/engine_state.h"
#include "ui/models/pop_panel.h"
#include "ui/models/settings.h"
#include "ui/store/chat_store.h"
#include "ui/store/picture_desk.h"

namespace poplens::ui {
namespace {

constexpr int kKeepEveryMs = 2000;
constexpr int kTitleLength = 48;
// Longer ones no model here answers in time, and the window would have to lay them out.
constexpr qsizetype kMostCharacters = 200'000;

QString new_id() {
  return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

QString title_of(const QString& question, const QList<SentPicture>& pictures) {
  QString title = question.simplified();
  if (title.isEmpty() && !pictures.isEmpty()) title = pictures.first().name;
  if (title.size() > kTitleLength) title = title.left(kTitleLength - 1).trimmed() + QStringLiteral("…");
  return title;
}

QString too_long(qsizetype characters) {
  const auto count = [](qsizetype value) { return QLocale().toString(static_cast<qlonglong>(value)); };
  return Chat::tr("A question of %1 characters is too long: it may have %2.")
      .arg(count(characters), count(kMostCharacters));
}

// Whether somebody may have written it: neither nothing nor a single address.
bool is_prose(const QByteArray& utf8) {
  static const QRegularExpression address(R"(^((https?|ftp|file):|data:image/)\S*$)");
  const QString text = QString::fromUtf8(utf8).trimmed();
  return !text.isEmpty() && !address.match(text).hasMatch();
}

}  // namespace

Chat::Chat(const ChatSurroundings& surroundings, QObject* parent)
    : QObject(parent),
      with_(surroundings),
      attachments_(surroundings.desk),
      ahead_(surroundings.engine, [this] { return ahead_job(); }) {
  keep_timer_.setInterval(kKeepEveryMs);
  connect(&keep_timer_, &QTimer::timeout, this, [this] {
    if (answer_ != nullptr && !answer_->text().isEmpty()) save({answer_->record()});
  });
  connect(&attachments_, &AttachmentListModel::readyChanged, this, &Chat::canSendChanged);
  connect(with_.state, &EngineState::changed, this, &Chat::canSendChanged);
  connect(with_.state, &EngineState::modelChosen, this, [this](const QString& folder) {
    // In this order: the desk measures for the model it was told of last.
    with_.desk->set_model(folder);
    attachments_.measure_again();
  });
  connect(with_.store, &ChatStore::loaded, this, &Chat::load);
  connect(with_.store, &ChatStore::notSaved, this, [this](const QString& id) { behind_ |= id == conversation_.id; });
  connect(with_.pop, &PopPanel::planChanged, this, &Chat::read_ahead);
  connect(&messages_, &MessageListModel::countChanged, this, &Chat::tell_pictures);
  connect(&attachments_, &AttachmentListModel::contentChanged, this, [this] {
    tell_pictures();
    count_tokens();
    ahead_.begin_anew();
  });
  connect(&ahead_, &AheadWork::failed, &attachments_, &AttachmentListModel::check);
  connect(with_.conversations, &ConversationListModel::removed, this, [this](const QString& id) {
    if (id == conversation_.id) begin();
  });
  connect(with_.conversations, &ConversationListModel::renamed, this, [this](const QString& id, const QString& title) {
    if (id != conversation_.id) return;
    conversation_.title = title;
    emit conversationChanged();
  });
  connect(with_.engine, &EngineClient::happened, this, [this](quint64 job, const Event& event) {
    if (answer_ == nullptr) return;
    if (job == awaited_) answer_->stages()->take_ahead(event);
    if (job != job_) return;
    if (const auto* token = std::get_if<TokenEvent>(&event.what)) {
      answer_->append(QString::fromStdString(token->text));
    } else {
      answer_->stages()->take(event);
    }
  });
  connect(with_.engine, &EngineClient::answered, this, [this](quint64 job, const AskAnswer& answer) {
    if (job != job_ || answer_ == nullptr) return;
    AskAnswer complete = answer;
    complete.figures = with_ahead(answer.figures, done_ahead_, asked_);
    answer_->finish(complete);
    with_.pop->learn(complete.figures);
    answer_ended();
  });
  connect(with_.engine, &EngineClient::prefilled_ahead, this, [this](quint64 job, const AheadDone& done) {
    if (job == awaited_ && answer_ != nullptr) done_ahead_ = done;
  });
  connect(with_.engine, &EngineClient::failed, this, [this](quint64 job, const Failure& failure) {
    if (job != job_ || answer_ == nullptr) return;
    answer_->fail(failure);
    answer_ended();
  });
}

Chat::~Chat() {
  leave();
}

void Chat::setSystem(const QString& system) {
  if (system == conversation_.system) return;
  conversation_.system = system;
  if (!conversation_.id.isEmpty()) with_.store->save(conversation_);
  read_ahead();
  emit conversationChanged();
}

SamplingChoice Chat::sampling() const {
  if (!conversation_.id.isEmpty()) return conversation_.sampling;
  return chosen_sampling_.value_or(with_.settings->sampling());
}

void Chat::set_sampling(const SamplingChoice& sampling) {
  if (sampling == this->sampling()) return;
  if (conversation_.id.isEmpty()) {
    chosen_sampling_ = sampling;
  } else {
    conversation_.sampling = sampling;
    with_.store->save(conversation_);
  }
  emit conversationChanged();
}

void Chat::setDraft(const QString& draft) {
  if (draft == draft_) return;
  draft_ = draft;
  set_long_run(has_long_run(draft));
  emit draftChanged();
  emit canSendChanged();
}

QString Chat::obstacle() const {
  return draft_.size() > kMostCharacters ? too_long(draft_.size()) : QString();
}

void Chat::set_long_run(bool long_run) {
  if (long_run == long_run_) return;
  long_run_ = long_run;
  emit longRunChanged();
}

bool Chat::canSend() const {
  const bool something = !draft_.trimmed().isEmpty() || attachments_.count() > 0;
  return something && obstacle().isEmpty() && !running() && !loading_ && attachments_.ready() &&
         !with_.state->choice().folder.isEmpty();
}

MessageRecord Chat::new_record(const QString& role) const {
  return {.id = new_id(), .conversation = conversation_.id, .position = messages_.count(), .role = role};
}

void Chat::send() {
  if (!canSend()) return;
  if (editing()) messages_.remove_from(edited_row_);
  set_edited_row(-1);
  const QList<SentPicture> pictures = attachments_.pictures();
  if (conversation_.id.isEmpty()) {
    // While there is no conversation yet: afterwards it is the conversation's own that sampling() gives.
    conversation_.sampling = sampling();
    conversation_.id = new_id();
    conversation_.title = title_of(draft_, pictures);
    emit conversationChanged();
  }
  MessageRecord question = new_record("user");
  question.text = draft_.trimmed();
  question.pictures = pictures;
  save({question}, question.position);
  messages_.append(std::move(question));
  setDraft({});
  awaited_ = ahead_.job();
  done_ahead_ = ahead_.hand_over();
  attachments_.clear();
  ask(messages_.count());
}

void Chat::regenerate(int row) {
  const ChatMessage* message = messages_.at(row);
  if (running() || message == nullptr || message->question()) return;
  if (row <= edited_row_) cancelEdit();
  // It would have to be waited for, and stands behind an answer that goes.
  ahead_.discard();
  messages_.remove_from(row);
  ask(row);
}

void Chat::ask(int answer_row) {
  MessageRecord record = new_record("assistant");
  record.state = MessageState::running;
  save({record}, answer_row);
  answer_ = messages_.append(std::move(record));
  answer_->stages()->begin(with_.pop->predictedMs());
  asked_ = std::chrono::steady_clock::now();
  job_ = with_.engine->ask({.model = with_.state->choice(),
                            .turns = turns_before(answer_row),
                            .plan = with_.pop->plan(),
                            .sampling = conversation_.sampling,
                            .asked = asked_});
  keep_timer_.start();
  emit runningChanged();
  emit canSendChanged();
}

void Chat::read_ahead() {
  if (attachments_.count() > 0) ahead_.begin_anew();
}

std::optional<PrefillAheadJob> Chat::ahead_job() const {
  const bool wanted = with_.settings->prefillAhead() && !running() && edited_row_ < 0;
  if (!wanted || attachments_.count() == 0 || !attachments_.ready() || with_.state->choice().folder.isEmpty()) {
    return std::nullopt;
  }
  PrefillAheadJob job{
      .model = with_.state->choice(), .turns = turns_before(messages_.count()), .plan = with_.pop->plan()};
  job.turns.append({"user", {}, attachments_.pictures()});
  return job;
}

void Chat::count_tokens() {
  if (attachments_.tokens() == 0) return;
  std::vector<int64_t> tokens;
  for (const SentPicture& picture : attachments_.pictures()) tokens.push_back(picture.tokens);
  with_.pop->set_pictures(tokens);
}

void Chat::tell_pictures() {
  with_.pop->set_about_picture(attachments_.count() > 0 || messages_.has_pictures());
}

void Chat::stop() {
  if (!running()) return;
  with_.engine->stop(job_);
  if (awaited_ != 0) with_.engine->stop(awaited_);
}

void Chat::answer_ended() {
  save({answer_->record()});
  answer_ = nullptr;
  job_ = awaited_ = 0;
  done_ahead_ = {};
  keep_timer_.stop();
  // What was attached meanwhile.
  read_ahead();
  emit runningChanged();
  emit canSendChanged();
}

void Chat::edit(int row) {
  const ChatMessage* message = messages_.at(row);
  if (running() || message == nullptr || !message->question()) return;
  set_edited_row(row);
  attachments_.clear();
  attachments_.add(message->record().pictures);
  setDraft(message->text());
}

void Chat::cancelEdit() {
  if (!editing()) return;
  set_edited_row(-1);
  attachments_.clear();
  setDraft({});
}

void Chat::set_edited_row(int row) {
  if (row == edited_row_) return;
  edited_row_ = row;
  emit editingChanged();
}

QList<Turn> Chat::turns_before(int row) const {
  QList<Turn> turns;
  if (!conversation_.system.trimmed().isEmpty()) turns.append({"system", conversation_.system.trimmed(), {}});
  for (int i = 0; i < row && i < messages_.count(); ++i) {
    const MessageRecord& record = messages_.at(i)->record();
    // An answer that failed has said nothing.
    if (record.role == "assistant" && record.text.isEmpty()) continue;
    turns.append({record.role, record.text, record.pictures});
  }
  return turns;
}

void Chat::leave() {
  if (!running()) return;
  stop();
  answer_->fail({.cancelled = true});
  answer_ended();
}

void Chat::begin() {
  leave();
  set_edited_row(-1);
  conversation_ = {};
  loading_ = false;
  behind_ = false;
  chosen_sampling_.reset();
  messages_.reset({});
  attachments_.clear();
  setDraft({});
  emit conversationChanged();
  emit canSendChanged();
}

void Chat::open(const QString& conversation) {
  if (conversation == conversation_.id) return;
  const auto record = with_.conversations->find(conversation);
  if (!record) return;
  begin();
  conversation_ = *record;
  loading_ = true;
  emit conversationChanged();
  emit canSendChanged();
  with_.store->load(conversation);
}

void Chat::load(const QString& conversation, const QList<MessageRecord>& messages) {
  if (conversation != conversation_.id || messages_.count() > 0) return;
  messages_.reset(messages);
  loading_ = false;
  emit canSendChanged();
}

void Chat::save(const QList<MessageRecord>& messages, std::optional<int> drop_from) {
  conversation_.changedMs = QDateTime::currentMSecsSinceEpoch();
  if (std::exchange(behind_, false)) with_.store->save(conversation_, messages_.records(), 0);
  with_.store->save(conversation_, messages, drop_from);
}

bool Chat::paste() {
  const QMimeData* data = QGuiApplication::clipboard()->mimeData();
  if (data == nullptr) return false;
  // Cells of a table come as text and as a picture of themselves, a picture of a page with its address.
  if (data->hasImage() && !is_prose(data->data("text/plain"))) {
    attachments_.add_image(tr("Pasted picture.png"), qvariant_cast<QImage>(data->imageData()));
    return true;
  }
  QList<QUrl> files;
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile()) files.append(url);
  }
  attachments_.addFiles(files);
  return !files.isEmpty() || !makes_room_for(data->text());
}

bool Chat::makes_room_for(const QString& text) {
  const qsizetype characters = draft_.size() + text.size();
  if (characters > kMostCharacters) {
    emit refused(too_long(characters));
    return false;
  }
  // Before it is laid out.
  set_long_run(long_run_ || has_long_run(text));
  return true;
}

void Chat::measureImportances() {
  with_.pop->measure(turns_before(messages_.count()));
}

void Chat::copy(const QString& text) const {
  QGuiApplication::clipboard()->setText(text);
}

}  // namespace poplens::ui
