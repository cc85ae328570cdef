// The conversation that is open: asking, stopping, asking again.
#pragma once

#include <chrono>

#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include "ui/models/ahead_work.h"
#include "ui/models/attachment_list_model.h"
#include "ui/models/message_list_model.h"
#include "ui/store/records.h"

namespace poplens::ui {

class ChatStore;
class ConversationListModel;
class EngineClient;
class EngineState;
class PopPanel;
class Settings;

// What a conversation needs of the rest of the program.
struct ChatSurroundings {
  ChatStore* store = nullptr;
  EngineClient* engine = nullptr;
  EngineState* state = nullptr;
  PopPanel* pop = nullptr;
  Settings* settings = nullptr;
  ConversationListModel* conversations = nullptr;
  PictureDesk* desk = nullptr;
};

class Chat : public QObject {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by the program")
  Q_PROPERTY(poplens::ui::MessageListModel* messages READ messages CONSTANT)
  Q_PROPERTY(poplens::ui::AttachmentListModel* attachments READ attachments CONSTANT)
  Q_PROPERTY(poplens::ui::AheadWork* ahead READ ahead CONSTANT)
  Q_PROPERTY(QString conversation READ conversation NOTIFY conversationChanged)
  Q_PROPERTY(QString title READ title NOTIFY conversationChanged)
  Q_PROPERTY(QString system READ system WRITE setSystem NOTIFY conversationChanged)
  Q_PROPERTY(QString draft READ draft WRITE setDraft NOTIFY draftChanged)
  Q_PROPERTY(QString obstacle READ obstacle NOTIFY draftChanged)
  Q_PROPERTY(bool longRun READ longRun NOTIFY longRunChanged)
  Q_PROPERTY(bool running READ running NOTIFY runningChanged)
  Q_PROPERTY(bool canSend READ canSend NOTIFY canSendChanged)
  Q_PROPERTY(bool editing READ editing NOTIFY editingChanged)

 public:
  explicit Chat(const ChatSurroundings& surroundings, QObject* parent = nullptr);
  // Keeps what there is of a running answer.
  ~Chat() override;

  MessageListModel* messages() { return &messages_; }
  AttachmentListModel* attachments() { return &attachments_; }
  AheadWork* ahead() { return &ahead_; }
  QString conversation() const { return conversation_.id; }
  const ConversationRecord& conversation_record() const { return conversation_; }
  QString title() const { return conversation_.title; }
  QString system() const { return conversation_.system; }
  void setSystem(const QString& system);
  QString draft() const { return draft_; }
  void setDraft(const QString& draft);
  // Why the draft cannot be sent as it is, or nothing.
  QString obstacle() const;
  // What is written has a run of letters so long that lines must not be broken at words only.
  bool longRun() const { return long_run_; }
  // How answers of this conversation are drawn.
  SamplingChoice sampling() const;
  void set_sampling(const SamplingChoice& sampling);
  bool running() const { return job_ != 0; }
  bool canSend() const;
  // What is written takes the place of an earlier question.
  bool editing() const { return edited_row_ >= 0; }

  Q_INVOKABLE void send();
  Q_INVOKABLE void stop();
  // The answer in this row, once more.
  Q_INVOKABLE void regenerate(int row);
  // The question in this row goes back to the composer, and what follows it is dropped when it is sent.
  Q_INVOKABLE void edit(int row);
  // Leaves the question as it was.
  Q_INVOKABLE void cancelEdit();
  Q_INVOKABLE void begin();
  Q_INVOKABLE void open(const QString& conversation);
  // A picture, or picture files, from the clipboard. False when it holds neither, and what is written there may be
  // pasted as text.
  Q_INVOKABLE bool paste();
  // Importances of this model on this conversation, for the panel.
  Q_INVOKABLE void measureImportances();
  Q_INVOKABLE void copy(const QString& text) const;

  // All turns before `row`, system prompt first.
  QList<Turn> turns_before(int row) const;

 signals:
  void conversationChanged();
  void draftChanged();
  void longRunChanged();
  // One sentence that tells why something was not taken.
  void refused(const QString& reason);
  void runningChanged();
  void canSendChanged();
  void editingChanged();

 private:
  // The answer takes the place of this row and all after it.
  void ask(int answer_row);
  std::optional<PrefillAheadJob> ahead_job() const;
  // What is attached, anew: something that stands before the question is another.
  void read_ahead();
  void count_tokens();
  void tell_pictures();
  void answer_ended();
  // Stops a running answer and keeps what there is of it.
  void leave();
  void load(const QString& conversation, const QList<MessageRecord>& messages);
  void save(const QList<MessageRecord>& messages, std::optional<int> drop_from = std::nullopt);
  MessageRecord new_record(const QString& role) const;
  void set_edited_row(int row);
  void set_long_run(bool long_run);
  // False when the draft would be too long with it, which is told.
  bool makes_room_for(const QString& text);

  ChatSurroundings with_;
  MessageListModel messages_;
  AttachmentListModel attachments_;
  AheadWork ahead_;
  quint64 awaited_ = 0;   // work begun ahead that the running answer waits for
  AheadDone done_ahead_;  // for the running answer
  std::chrono::steady_clock::time_point asked_;
  ConversationRecord conversation_;
  bool loading_ = false;  // what the conversation holds is not known yet: what is sent would take its place
  bool behind_ = false;   // what is on the disk of it is not all
  std::optional<SamplingChoice> chosen_sampling_;  // for a conversation that has not begun
  QString draft_;
  bool long_run_ = false;
  int edited_row_ = -1;
  quint64 job_ = 0;
  ChatMessage* answer_ = nullptr;  // the one that runs
  QTimer keep_timer_;              // writes what there is of a running answer
};

}  // namespace poplens::ui
