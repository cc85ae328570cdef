// Conversations in an SQLite file. Every call is a transaction that is on the disk when the call returns; all run on
// one thread, the one that opened the file.
#pragma once

#include <optional>

#include <QHash>
#include <QList>
#include <QString>

#include "engine/base/result.h"
#include "ui/store/records.h"

namespace poplens::ui {

class ChatDatabase {
 public:
  ChatDatabase() = default;
  ~ChatDatabase();
  ChatDatabase(const ChatDatabase&) = delete;
  ChatDatabase& operator=(const ChatDatabase&) = delete;

  // Opens `path`, or makes it. A file that is damaged is moved aside ("….damaged-2026-01-31T101500") and a fresh one is
  // made; the sentence that says so is the value, empty where all is well.
  Result<QString> open(const QString& path);
  // Opens `path` only to read it, also where SQLite may make no files beside it (a folder that is read-only); `open`
  // comes to it by itself there.
  Result<void> open_to_read(const QString& path);
  bool may_write() const { return may_write_; }

  // Newest first; with `search`, those whose title or messages hold all of its words.
  Result<QList<ConversationRecord>> conversations(const QString& search = {});
  Result<QList<MessageRecord>> messages(const QString& conversation);

  Result<void> save(const ConversationRecord& conversation);
  Result<void> rename(const QString& conversation, const QString& title);
  // Also tells which pictures no message shows any more.
  struct Removed {
    qint64 changed_ms = 0;  // the conversation's last change
    QList<QString> pictures;
  };
  Result<Removed> remove(const QString& conversation);

  // Writes the messages (new or changed) and moves their conversation to the top; with `drop_from`, in the place of
  // that position and all after it.
  Result<void> save(const ConversationRecord& conversation, const QList<MessageRecord>& messages,
                    std::optional<int> drop_from = std::nullopt);

  Result<QHash<QString, QString>> settings();
  Result<void> save_setting(const QString& name, const QString& value);

  // Hashes of all pictures that some message shows.
  Result<QList<QString>> pictures_in_use();

 private:
  // What is damaged about the file; empty where nothing is. Whatever else stands in the way (another program that holds
  // it, a disk that is full, no leave to write) is an error.
  Result<QString> open_and_check(const QString& path);
  Result<void> open_by_address(const QString& path, const char* how);
  void close();
  // Before anything is written: a file that could not be opened, or only to be read, is opened again once that works.
  Result<void> open_to_write();

  QString path_;
  QString connection_;
  bool may_write_ = false;
};

}  // namespace poplens::ui
