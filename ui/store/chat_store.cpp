#include "ui/store/chat_store.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QSet>

#include "ui/i18n/reason_text.h"

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

// Pictures that were attached once and never sent, or whose conversation was deleted. Those of today may be attached in
// another window of the program.
void remove_unused_pictures(ChatDatabase& database, const PictureFolder& pictures) {
  auto used = database.pictures_in_use();
  if (!used.ok()) return;
  const QSet<QString> keep(used->begin(), used->end());
  const QDateTime yesterday = QDateTime::currentDateTime().addDays(-1);
  for (const QFileInfo& file : QDir(pictures.folder()).entryInfoList(QDir::Files)) {
    const QString path = pictures.path(file.fileName());
    if (!keep.contains(file.fileName()) && !path.isEmpty() && file.lastModified() < yesterday) QFile::remove(path);
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
      [this](const Result<void>& done) {
        if (!done.ok()) tell_not_stored(done.error());
      });
}

void ChatStore::tell(const QString& reason) {
  if (opened_) emit failed(reason);
}

void ChatStore::tell_not_stored(const Error& error) {
  tell(tr("This could not be stored: %1.").arg(reason_text(error.message)));
}

void ChatStore::open() {
  thread_.run(
      this,
      [database = database_, path = folder_ + "/chats.sqlite", pictures = pictures_] {
        auto opened = open_database(*database, path);
        const bool is_whole = opened.ok() && opened->notice.isEmpty() && database->may_write();
        if (is_whole) remove_unused_pictures(*database, pictures);
        return opened;
      },
      [this](Result<Opened> result) {
        opened_ = result.ok();
        if (opened_) {
          emit opened(result->notice, result->settings);
        } else {
          const QString reason = reason_text(result.error().message);
          emit opened(tr("Conversations cannot be kept this time: %1.").arg(reason), {});
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
          tell(reason_text(result.error().message));
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
          tell(reason_text(result.error().message));
        }
      });
}

void ChatStore::save(const ConversationRecord& conversation, const QList<MessageRecord>& messages,
                     std::optional<int> drop_from) {
  thread_.run(
      this,
      [database = database_, conversation, messages, drop_from] {
        return database->save(conversation, messages, drop_from);
      },
      [this, id = conversation.id](const Result<void>& done) {
        if (done.ok()) {
          opened_ = true;
          emit saved(id);
        } else {
          tell_not_stored(done.error());
          emit notSaved(id);
        }
      });
}

void ChatStore::rename(const QString& conversation, const QString& title) {
  write([conversation, title](ChatDatabase& database) { return database.rename(conversation, title); });
}

void ChatStore::remove(const QString& conversation) {
  write([conversation, pictures = pictures_](ChatDatabase& database) -> Result<void> {
    POPLENS_TRY(removed, database.remove(conversation));
    const QDateTime last_change = QDateTime::fromMSecsSinceEpoch(removed.changed_ms);
    for (const QString& hash : removed.pictures) {
      // One asked for since then is attached to a question that has not been sent.
      const QFileInfo file(pictures.path(hash));
      if (file.lastModified() < last_change) QFile::remove(file.filePath());
    }
    return {};
  });
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
          const QString reason = reason_text(result.error().message);
          emit failed(tr("The conversation was not exported. %1.").arg(reason));
        }
      });
}

void ChatStore::save_setting(const QString& name, const QString& value) {
  write([name, value](ChatDatabase& database) { return database.save_setting(name, value); });
}

}  // namespace poplens::ui
