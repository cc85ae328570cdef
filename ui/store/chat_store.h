// The chat database on a thread of its own: calls return at once, what was read comes back as a signal.
#pragma once

#include <memory>
#include <optional>

#include <QHash>
#include <QObject>

#include "ui/base/task_thread.h"
#include "ui/store/chat_database.h"
#include "ui/store/conversation_file.h"
#include "ui/store/picture_folder.h"

namespace poplens::ui {

class ChatStore : public QObject {
  Q_OBJECT

 public:
  // Everything lies under `folder`: chats.sqlite and pictures/.
  explicit ChatStore(const QString& folder, QObject* parent = nullptr);

  // Everything that was saved is on the disk afterwards.
  ~ChatStore() override;

  PictureFolder pictures() const { return pictures_; }

  void open();
  void find(const QString& search);
  void load(const QString& conversation);
  void save(const ConversationRecord& conversation, const QList<MessageRecord>& messages = {},
            std::optional<int> drop_from = std::nullopt);
  void rename(const QString& conversation, const QString& title);
  void remove(const QString& conversation);
  void save_setting(const QString& name, const QString& value);
  // To a file of the person's own.
  void export_to(const QString& path, const ConversationRecord& conversation, ConversationFormat format);

 signals:
  // `notice` is empty, or says what was found damaged, or why nothing can be kept: then all goes on without.
  void opened(const QString& notice, const QHash<QString, QString>& settings);
  void found(const QString& search, const QList<poplens::ui::ConversationRecord>& conversations);
  void loaded(const QString& conversation, const QList<poplens::ui::MessageRecord>& messages);
  // The conversation's messages are on the disk, or are not.
  void saved(const QString& conversation);
  void notSaved(const QString& conversation);
  void exported(const QString& path, const poplens::ui::ConversationExport& result);
  void failed(const QString& reason);

 private:
  // Runs a call that gives no value; tells of its failure.
  template <typename Call>
  void write(Call call);
  // Where nothing can be kept, opened() has said so for all that follows.
  void tell(const QString& reason);
  void tell_not_stored(const Error& error);

  QString folder_;
  PictureFolder pictures_;
  std::shared_ptr<ChatDatabase> database_;  // touched on thread_ only
  bool opened_ = false;
  TaskThread thread_;
};

}  // namespace poplens::ui
