#include "ui/store/chat_database.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUrl>
#include <QUuid>
#include <QVariant>

#include "ui/i18n/reason_text.h"
#include "ui/store/figures_json.h"

namespace poplens::ui {
namespace {

constexpr const char* kSchema[] = {
    "PRAGMA journal_mode=WAL",
    // FULL: a transaction that has returned survives a power cut, too.
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "CREATE TABLE IF NOT EXISTS conversations(id TEXT PRIMARY KEY, title TEXT NOT NULL, system TEXT NOT NULL,"
    " sampling TEXT NOT NULL, changed_ms INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS messages(id TEXT PRIMARY KEY,"
    " conversation TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE, position INTEGER NOT NULL,"
    " role TEXT NOT NULL, text TEXT NOT NULL, state INTEGER NOT NULL, error TEXT NOT NULL, figures TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS messages_by_place ON messages(conversation, position)",
    "CREATE TABLE IF NOT EXISTS pictures(message TEXT NOT NULL REFERENCES messages(id) ON DELETE CASCADE,"
    " position INTEGER NOT NULL, hash TEXT NOT NULL, name TEXT NOT NULL, width INTEGER, height INTEGER,"
    " model_width INTEGER, model_height INTEGER, tokens INTEGER, max_tokens INTEGER, PRIMARY KEY(message, position))",
    "CREATE TABLE IF NOT EXISTS settings(name TEXT PRIMARY KEY, value TEXT NOT NULL)",
};

Error error_of(const QSqlError& error) {
  return Error{"the conversations' database: " + error.databaseText().toStdString()};
}

bool tells_of_damage(const QSqlError& error) {
  constexpr int kPrimaryCode = 0xff;
  constexpr int kCorrupt = 11;
  constexpr int kNoDatabase = 26;
  const int code = error.nativeErrorCode().toInt() & kPrimaryCode;
  return code == kCorrupt || code == kNoDatabase;
}

// Runs one statement with its values bound in order.
Result<QSqlQuery> run(const QString& connection, const QString& statement, const QVariantList& values = {}) {
  QSqlQuery query(QSqlDatabase::database(connection, /*open=*/false));
  if (!query.prepare(statement)) return error_of(query.lastError());
  for (const QVariant& value : values) query.addBindValue(value);
  if (!query.exec()) return error_of(query.lastError());
  return query;
}

// A null string would be stored as NULL, which the columns refuse.
QString stored(const QString& text) {
  return text.isNull() ? QStringLiteral("") : text;
}

Result<void> in_transaction(const QString& connection, const std::function<Result<void>()>& work) {
  QSqlDatabase database = QSqlDatabase::database(connection, /*open=*/false);
  if (!database.transaction()) return error_of(database.lastError());
  auto done = work();
  if (!done.ok()) {
    database.rollback();
    return done;
  }
  if (!database.commit()) {
    const Error error = error_of(database.lastError());
    database.rollback();
    return error;
  }
  return {};
}

Result<void> write_conversation(const QString& connection, const ConversationRecord& record) {
  POPLENS_CHECK(
      run(connection,
          "INSERT INTO conversations(id, title, system, sampling, changed_ms) VALUES(?, ?, ?, ?, ?)"
          " ON CONFLICT(id) DO UPDATE SET title=excluded.title, system=excluded.system,"
          " sampling=excluded.sampling, changed_ms=excluded.changed_ms",
          {record.id, stored(record.title), stored(record.system), to_json(record.sampling), record.changedMs}));
  return {};
}

Result<void> write_message(const QString& connection, const MessageRecord& record) {
  POPLENS_CHECK(run(connection,
                    "INSERT INTO messages(id, conversation, position, role, text, state, error, figures)"
                    " VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET position=excluded.position,"
                    " text=excluded.text, state=excluded.state, error=excluded.error, figures=excluded.figures",
                    {record.id, record.conversation, record.position, record.role, stored(record.text),
                     static_cast<int>(record.state), stored(record.error), to_json(record.figures)}));
  POPLENS_CHECK(run(connection, "DELETE FROM pictures WHERE message=?", {record.id}));
  int position = 0;
  for (const SentPicture& picture : record.pictures) {
    POPLENS_CHECK(
        run(connection, "INSERT INTO pictures VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            {record.id, position++, picture.hash, stored(picture.name), picture.size.width(), picture.size.height(),
             picture.modelSize.width(), picture.modelSize.height(), picture.tokens, picture.maxTokens}));
  }
  return {};
}

Result<QList<SentPicture>> pictures_of(const QString& connection, const QString& message) {
  POPLENS_TRY(query, run(connection,
                         "SELECT hash, name, width, height, model_width, model_height, tokens, max_tokens"
                         " FROM pictures WHERE message=? ORDER BY position",
                         {message}));
  QList<SentPicture> pictures;
  while (query.next()) {
    SentPicture picture;
    picture.hash = query.value(0).toString();
    picture.name = query.value(1).toString();
    picture.size = {query.value(2).toInt(), query.value(3).toInt()};
    picture.modelSize = {query.value(4).toInt(), query.value(5).toInt()};
    picture.tokens = query.value(6).toInt();
    picture.maxTokens = query.value(7).toInt();
    pictures.append(picture);
  }
  return pictures;
}

// The LIKE pattern of one word, its wildcards taken as letters.
QString pattern_of(QString word) {
  word.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
  return '%' + word + '%';
}

}  // namespace

ChatDatabase::~ChatDatabase() {
  close();
}

void ChatDatabase::close() {
  if (connection_.isEmpty()) return;
  QSqlDatabase::database(connection_, /*open=*/false).close();
  QSqlDatabase::removeDatabase(connection_);
  connection_.clear();
  may_write_ = false;
}

Result<QString> ChatDatabase::open_and_check(const QString& path) {
  connection_ = QUuid::createUuid().toString();
  QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", connection_);
  if (!database.isValid()) return Error{"Qt's SQLite driver is not installed (Debian: libqt6sql6-sqlite)"};
  database.setDatabaseName(path);
  if (!database.open()) return Error{path.toStdString() + ": " + database.lastError().databaseText().toStdString()};
  QSqlQuery query(database);
  const auto runs = [&](const char* statement) { return query.exec(QLatin1String(statement)); };
  const bool well = runs("PRAGMA quick_check(1)") && query.next();
  if (well && query.value(0).toString() != "ok") return query.value(0).toString();
  query.finish();
  if (well && std::all_of(std::begin(kSchema), std::end(kSchema), runs)) {
    may_write_ = QFileInfo(path).isWritable();
    return QString();
  }
  if (tells_of_damage(query.lastError())) return query.lastError().databaseText();
  return Error{path.toStdString() + ": " + query.lastError().databaseText().toStdString()};
}

Result<void> ChatDatabase::open_by_address(const QString& path, const char* how) {
  connection_ = QUuid::createUuid().toString();
  QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", connection_);
  database.setConnectOptions("QSQLITE_OPEN_URI;QSQLITE_OPEN_READONLY");
  database.setDatabaseName(QString::fromLatin1(QUrl::fromLocalFile(path).toEncoded()) + u'?' + QLatin1String(how));
  if (!database.open()) return error_of(database.lastError());
  POPLENS_CHECK(run(connection_, "SELECT 1 FROM conversations LIMIT 1"));
  return {};
}

Result<void> ChatDatabase::open_to_read(const QString& path) {
  path_ = path;
  close();
  // "immutable" takes no locks and leaves out what still stands in the log: only where the other way is barred.
  Result<void> opened = open_by_address(path, "mode=ro");
  if (opened.ok()) return opened;
  close();
  opened = open_by_address(path, "immutable=1");
  if (!opened.ok()) close();
  return opened;
}

Result<void> ChatDatabase::open_to_write() {
  const bool stands_open = !connection_.isEmpty();
  if (path_.isEmpty() || (stands_open && (may_write_ || !QFileInfo(path_).isWritable()))) return {};
  close();
  POPLENS_CHECK(open(path_));
  return {};
}

Result<QString> ChatDatabase::open(const QString& path) {
  path_ = path;
  if (!QDir().mkpath(QFileInfo(path).absolutePath())) {
    return Error{QFileInfo(path).absolutePath().toStdString() + ": the folder cannot be made"};
  }
  auto damage = open_and_check(path);
  if (damage.ok() && damage->isEmpty()) return QString();
  close();
  if (!damage.ok()) {
    const bool only_to_read = QFile::exists(path) && !QFileInfo(QFileInfo(path).absolutePath()).isWritable();
    if (only_to_read && open_to_read(path).ok()) return QString();
    return damage.error();
  }

  const QString aside = path + ".damaged-" + QDateTime::currentDateTime().toString("yyyy-MM-ddTHHmmss");
  for (const char* part : {"", "-wal", "-shm"}) {
    if (QFile::exists(path + part) && !QFile::rename(path + part, aside + part)) {
      return Error{path.toStdString() + ": " + damage->toStdString() + "; it cannot be moved aside either"};
    }
  }
  POPLENS_TRY(still, open_and_check(path));
  if (!still.isEmpty()) return Error{path.toStdString() + ": " + still.toStdString()};
  return QCoreApplication::translate(
             "ChatDatabase", "The file of conversations is damaged (%1). It was kept as %2, and a new one was begun.")
      .arg(reason_text(*damage), QFileInfo(aside).fileName());
}

Result<QList<ConversationRecord>> ChatDatabase::conversations(const QString& search) {
  QString condition;
  QVariantList values;
  for (const QString& word : search.split(' ', Qt::SkipEmptyParts)) {
    condition += condition.isEmpty() ? " WHERE " : " AND ";
    condition +=
        "(c.title LIKE ? ESCAPE '\\' OR EXISTS(SELECT 1 FROM messages m WHERE m.conversation=c.id"
        " AND m.text LIKE ? ESCAPE '\\'))";
    values << pattern_of(word) << pattern_of(word);
  }
  POPLENS_TRY(query, run(connection_,
                         "SELECT c.id, c.title, c.system, c.sampling, c.changed_ms, (SELECT COUNT(*) FROM pictures p"
                         " JOIN messages m ON m.id=p.message WHERE m.conversation=c.id) FROM conversations c" +
                             condition + " ORDER BY c.changed_ms DESC, c.rowid DESC",
                         values));
  QList<ConversationRecord> records;
  while (query.next()) {
    records.append({.id = query.value(0).toString(),
                    .title = query.value(1).toString(),
                    .system = query.value(2).toString(),
                    .sampling = sampling_from_json(query.value(3).toString()),
                    .changedMs = query.value(4).toLongLong(),
                    .pictures = query.value(5).toInt()});
  }
  return records;
}

Result<QList<MessageRecord>> ChatDatabase::messages(const QString& conversation) {
  POPLENS_TRY(query, run(connection_,
                         "SELECT id, position, role, text, state, error, figures FROM messages WHERE conversation=?"
                         " ORDER BY position",
                         {conversation}));
  QList<MessageRecord> records;
  while (query.next()) {
    MessageRecord record{.id = query.value(0).toString(),
                         .conversation = conversation,
                         .position = query.value(1).toInt(),
                         .role = query.value(2).toString(),
                         .text = query.value(3).toString(),
                         .state = static_cast<MessageState>(query.value(4).toInt()),
                         .error = query.value(5).toString(),
                         .figures = figures_from_json(query.value(6).toString())};
    // Nothing runs in a conversation that is read from the disk: the program ended while it did.
    if (record.state == MessageState::running) record.state = MessageState::stopped;
    POPLENS_TRY(pictures, pictures_of(connection_, record.id));
    record.pictures = std::move(pictures);
    records.append(std::move(record));
  }
  return records;
}

Result<void> ChatDatabase::save(const ConversationRecord& conversation) {
  POPLENS_CHECK(open_to_write());
  return write_conversation(connection_, conversation);
}

Result<void> ChatDatabase::rename(const QString& conversation, const QString& title) {
  POPLENS_CHECK(open_to_write());
  POPLENS_CHECK(run(connection_, "UPDATE conversations SET title=? WHERE id=?", {stored(title), conversation}));
  return {};
}

Result<ChatDatabase::Removed> ChatDatabase::remove(const QString& conversation) {
  POPLENS_CHECK(open_to_write());
  Removed removed;
  const auto work = [&]() -> Result<void> {
    POPLENS_TRY(record, run(connection_, "SELECT changed_ms FROM conversations WHERE id=?", {conversation}));
    if (record.next()) removed.changed_ms = record.value(0).toLongLong();
    POPLENS_TRY(pictures, run(connection_,
                              "SELECT DISTINCT p.hash FROM pictures p JOIN messages m ON m.id=p.message WHERE"
                              " m.conversation=? AND NOT EXISTS(SELECT 1 FROM pictures q JOIN messages n ON"
                              " n.id=q.message WHERE q.hash=p.hash AND n.conversation<>m.conversation)",
                              {conversation}));
    while (pictures.next()) removed.pictures.append(pictures.value(0).toString());
    POPLENS_CHECK(run(connection_, "DELETE FROM conversations WHERE id=?", {conversation}));
    return {};
  };
  POPLENS_CHECK(in_transaction(connection_, work));
  return removed;
}

Result<void> ChatDatabase::save(const ConversationRecord& conversation, const QList<MessageRecord>& messages,
                                std::optional<int> drop_from) {
  POPLENS_CHECK(open_to_write());
  return in_transaction(connection_, [&]() -> Result<void> {
    POPLENS_CHECK(write_conversation(connection_, conversation));
    if (drop_from) {
      POPLENS_CHECK(
          run(connection_, "DELETE FROM messages WHERE conversation=? AND position>=?", {conversation.id, *drop_from}));
    }
    for (const MessageRecord& message : messages) POPLENS_CHECK(write_message(connection_, message));
    return {};
  });
}

Result<QHash<QString, QString>> ChatDatabase::settings() {
  POPLENS_TRY(query, run(connection_, "SELECT name, value FROM settings"));
  QHash<QString, QString> values;
  while (query.next()) values.insert(query.value(0).toString(), query.value(1).toString());
  return values;
}

Result<void> ChatDatabase::save_setting(const QString& name, const QString& value) {
  POPLENS_CHECK(open_to_write());
  POPLENS_CHECK(run(connection_,
                    "INSERT INTO settings(name, value) VALUES(?, ?) ON CONFLICT(name) DO UPDATE SET"
                    " value=excluded.value",
                    {name, stored(value)}));
  return {};
}

Result<QList<QString>> ChatDatabase::pictures_in_use() {
  POPLENS_TRY(query, run(connection_, "SELECT DISTINCT hash FROM pictures"));
  QList<QString> hashes;
  while (query.next()) hashes.append(query.value(0).toString());
  return hashes;
}

}  // namespace poplens::ui
