#include "ui/models/chat_message.h"

#include <algorithm>

#include "ui/i18n/reason_text.h"

namespace poplens::ui {
namespace {

// What of the time to the first token belongs to no stage: waiting for the model or for work begun ahead, writing the
// prompt, making room.
double outside_stages_ms(const AnswerFigures& figures) {
  return std::max(0.0, figures.ttftMs - total_ms(figures.stages));
}

}  // namespace

ChatMessage::ChatMessage(MessageRecord record, QObject* parent) : QObject(parent), record_(std::move(record)) {
  if (question()) return;
  blocks_.append(record_.text);
  if (record_.figures.ttftMs > 0.0) stages_.finish(record_.figures.stages, outside_stages_ms(record_.figures));
}

QVariantList ChatMessage::pictures() const {
  QVariantList list;
  for (const SentPicture& picture : record_.pictures) list.append(QVariant::fromValue(picture));
  return list;
}

QString ChatMessage::error() const {
  return reason_text(record_.error);
}

QString ChatMessage::advice() const {
  if (record_.error.contains("loading the model needs")) return tr("Choose a smaller model, or close other programs.");
  if (record_.error.contains("cut off") || record_.error.contains("a damaged ")) {
    return tr("Remove the picture, or take an undamaged copy of its file.");
  }
  if (record_.error.contains("memory") || record_.error.contains("context")) {
    return tr("Give the pictures a smaller budget, or begin a new conversation.");
  }
  if (record_.error.contains("picture")) return tr("Remove the picture, or choose a model that reads pictures.");
  return tr("Choose another model, or try again.");
}

void ChatMessage::set_subject(const QList<SentPicture>& pictures) {
  subject_ = pictures;
  find_marks();
}

void ChatMessage::find_marks() {
  if (question() || record_.state == MessageState::running) return;
  marked_pictures_.clear();
  for (const MarkedPicture& marked : marked_pictures(record_.text, subject_)) {
    marked_pictures_.append(QVariant::fromValue(marked));
  }
  emit markedPicturesChanged();
}

void ChatMessage::append(const QString& text) {
  record_.text += text;
  blocks_.append(text);
  emit textChanged();
}

void ChatMessage::finish(const AskAnswer& answer) {
  if (answer.text != record_.text) {
    record_.text = answer.text;
    blocks_.clear();
    blocks_.append(record_.text);
    emit textChanged();
  }
  record_.figures = answer.figures;
  record_.state = answer.figures.finish == "cancelled" ? MessageState::stopped : MessageState::done;
  stages_.finish(record_.figures.stages, outside_stages_ms(record_.figures));
  find_marks();
  emit figuresChanged();
  emit stateChanged();
}

void ChatMessage::fail(const Failure& failure) {
  record_.state = failure.cancelled ? MessageState::stopped : MessageState::failed;
  if (!failure.cancelled) record_.error = failure.reason;
  stages_.abandon();
  find_marks();
  emit stateChanged();
}

}  // namespace poplens::ui
