#include "ui/store/chat_store.h"

#include <QDir>
#include <QFile>
#include <QSet>

namespace poplens::ui {
namespace {

struct Opened {
  QString notice;
  QHash<QString, QString> settings;
};

Result<Opened> open_database(ChatDatabase& database, const QString& path) {
  POPLENS_TRY(notice, database.open(path));
  POPLENS_TRY(settings, database.settings());
  return Opened{std::move(notice), std::move(settings)};
}

Result<ConversationExport> export_stored(ChatDatabase& database, const PictureFolder& pictures, const QString& path,
                                         const ConversationRecord& conversation, ConversationFormat format) {
  POPLENS_TRY(messages, database.messages(conversation.id));
  return export_conversation(conversation, messages, pictures, path, format);
}

// Pictures that were attached once and never sent, or whose conversation was deleted.
void remove_unused_pictures(ChatDatabase& database, const PictureFolder& pictures) {
  auto used = database.pictures_in_use();
  if (!used.ok()) return;
  const QSet<QString> keep(used->begin(), used->end());
  for (const QString& name : QDir(pictures.folder()).entryList(QDir::Files)) {
    if (!keep.contains(name) && !pictures.path(name).isEmpty()) QFile::remove(pictures.path(name));
  }
}

}  // namespace

ChatStore::ChatStore(const QString& folder, QObject* parent)
    : QObject(parent),
      folder_(folder),
      pictures_(folder + "/pictures"),
      database_(std::make_shared<ChatDatabase>()),
      thread_(QStringLiteral("chats")) {}

ChatStore::~ChatStore() {
  // A connection is closed by the thread that opened it.
  thread_.post([database = std::move(database_)]() mutable { database.reset(); });
}

template <typename Call>
void ChatStore::write(Call call) {
  thread_.run(
      this, [database = database_, call = std::move(call)] { return call(*database); },
      [this](Result<void> done) {
        if (!done.ok()) emit failed(QString::fromStdString(done.error().message));
      });
}

void ChatStore::open() {
  thread_.run(
      this,
      [database = database_, path = folder_ + "/chats.sqlite", pictures = pictures_] {
        auto opened = open_database(*database, path);
        if (opened.ok() && opened->notice.isEmpty()) remove_unused_pictures(*database, pictures);
        return opened;
      },
      [this](Result<Opened> result) {
        if (result.ok()) {
          emit opened(result->notice, result->settings);
        } else {
          emit failed(QString::fromStdString(result.error().message));
        }
      });
}

void ChatStore::find(const QString& search) {
  thread_.run(
      this, [database = database_, search] { return database->conversations(search); },
      [this, search](Result<QList<ConversationRecord>> result) {
        if (result.ok()) {
          emit found(search, *result);
        } else {
          emit failed(QString::fromStdString(result.error().message));
        }
      });
}

void ChatStore::load(const QString& conversation) {
  thread_.run(
      this, [database = database_, conversation] { return database->messages(conversation); },
      [this, conversation](Result<QList<MessageRecord>> result) {
        if (result.ok()) {
          emit loaded(conversation, *result);
        } else {
          emit failed(QString::fromStdString(result.error().message));
        }
      });
}

void ChatStore::save(const ConversationRecord& conversation, const QList<MessageRecord>& messages) {
  thread_.run(
      this, [database = database_, conversation, messages] { return database->save(conversation, messages); },
      [this, id = conversation.id](Result<void> done) {
        if (done.ok()) {
          emit saved(id);
        } else {
          emit failed(QString::fromStdString(done.error().message));
        }
      });
}

void ChatStore::rename(const QString& conversation, const QString& title) {
  write([conversation, title](ChatDatabase& database) { return database.rename(conversation, title); });
}

void ChatStore::remove(const QString& conversation) {
  write([conversation](ChatDatabase& database) { return database.remove(conversation); });
}

void ChatStore::remove_from(const QString& conversation, int position) {
  write([conversation, position](ChatDatabase& database) { return database.remove_from(conversation, position); });
}

void ChatStore::export_to(const QString& path, const ConversationRecord& conversation, ConversationFormat format) {
  thread_.run(
      this,
      [database = database_, pictures = pictures_, path, conversation, format] {
        return export_stored(*database, pictures, path, conversation, format);
      },
      [this, path](Result<ConversationExport> result) {
        if (result.ok()) {
          emit exported(path, *result);
        } else {
          const QString reason = QString::fromStdString(result.error().message);
          emit failed(tr("The conversation was not exported. %1.").arg(reason));
        }
      });
}

void ChatStore::save_setting(const QString& name, const QString& value) {
  write([name, value](ChatDatabase& database) { return database.save_setting(name, value); });
}

}  // namespace poplens::ui
