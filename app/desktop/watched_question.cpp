#include "app/desktop/watched_question.h"

namespace poplens::desktop {

WatchedQuestion::WatchedQuestion(ui::Program& program, Options options, QObject* parent)
    : QObject(parent), program_(program), options_(std::move(options)) {
  connect(program.engine(), &ui::EngineState::changed, this, [this] {
    if (program_.engine()->state() == ui::EngineState::Failed) emit finished(false);
    if (program_.engine()->state() == ui::EngineState::Ready) attach();
  });
  connect(program.chat()->attachments(), &ui::AttachmentListModel::readyChanged, this, &WatchedQuestion::send);
  connect(program.chat(), &ui::Chat::runningChanged, this, [this] {
    if (!program_.chat()->running() && watch_) end();
  });
}

void WatchedQuestion::attach() {
  if (attached_) return;
  attached_ = true;
  ui::AttachmentListModel* attachments = program_.chat()->attachments();
  attachments->setMaxTokens(options_.picture_tokens);
  if (options_.picture.isEmpty()) {
    send();
  } else {
    attachments->addFiles({QUrl::fromLocalFile(options_.picture)});
  }
}

void WatchedQuestion::send() {
  ui::Chat* chat = program_.chat();
  ui::AttachmentListModel* attachments = chat->attachments();
  if (!attached_ || watch_) return;
  if (attachments->count() == 0 && !options_.picture.isEmpty()) return;
  if (attachments->count() > 0) {
    refusal_ = attachments->data(attachments->index(0), ui::AttachmentListModel::ReasonRole).toString();
  }
  if (!refusal_.isEmpty()) emit finished(false);
  if (!attachments->ready()) return;
  // The first token ends it.
  ui::SamplingChoice sampling = chat->sampling();
  sampling.maxTokens = 1;
  chat->set_sampling(sampling);
  chat->setDraft(options_.question);
  watch_.emplace();
  chat->send();
}

void WatchedQuestion::end() {
  thread_ = watch_->report();
  emit finished(program_.chat()->messages()->last()->state() == ui::ChatMessage::Done);
}

QString WatchedQuestion::report() const {
  const ui::ChatMessage* answer = program_.chat()->messages()->last();
  if (answer == nullptr) return refusal_.isEmpty() ? program_.engine()->error() : refusal_;
  if (!answer->error().isEmpty()) return answer->error();
  const ui::AnswerFigures figures = answer->figures();
  return QString("%1: first token after %2 ms, %3 prompt tokens, %4 of them the picture's\nwindow's thread: %5")
      .arg(figures.model)
      .arg(figures.ttftMs, 0, 'f', 0)
      .arg(figures.promptTokens)
      .arg(figures.imageTokens)
      .arg(thread_);
}

}  // namespace poplens::desktop
