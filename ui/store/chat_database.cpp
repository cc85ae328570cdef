#include "ui/store/chat_database.h"

#include <functional>

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>
#include <QVariant>

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

Error error_of(const QSqlQuery& query) {
  return Error{"the conversations' database: " + query.lastError().text().toStdString()};
}

// Runs one statement with its values bound in order.
Result<QSqlQuery> run(const QString& connection, const QString& statement, const QVariantList& values = {}) {
  QSqlQuery query(QSqlDatabase::database(connection, /*open=*/false));
  if (!query.prepare(statement)) return error_of(query);
  for (const QVariant& value : values) query.addBindValue(value);
  if (!query.exec()) return error_of(query);
  return query;
}

// A null string would be stored as NULL, which the columns refuse.
QString stored(const QString& text) {
  return text.isNull() ? QStringLiteral("") : text;
}

Result<void> in_transaction(const QString& connection, const std::function<Result<void>()>& work) {
  QSqlDatabase database = QSqlDatabase::database(connection, /*open=*/false);
  if (!database.transaction()) {
    return Error{"the conversations' database: " + database.lastError().text().toStdString()};
  }
  auto done = work();
  if (!done.ok()) {
    database.rollback();
    return done;
  }
  if (!database.commit()) {
    const Error error{"the conversations' database: " + database.lastError().text().toStdString()};
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
}

Result<void> ChatDatabase::open_and_check(const QString& path) {
  connection_ = QUuid::createUuid().toString();
  QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", connection_);
  if (!database.isValid()) return Error{"Qt's SQLite driver is not installed (Debian: libqt6sql6-sqlite)"};
  database.setDatabaseName(path);
  if (!database.open()) return Error{path.toStdString() + ": " + database.lastError().text().toStdString()};
  POPLENS_TRY(check, run(connection_, "PRAGMA quick_check(1)"));
  if (!check.next() || check.value(0).toString() != "ok") {
    return Error{path.toStdString() + ": " + check.value(0).toString().toStdString()};
  }
  check.finish();
  for (const char* statement : kSchema) POPLENS_CHECK(run(connection_, statement));
  return {};
}

Result<QString> ChatDatabase::open(const QString& path) {
  if (!QDir().mkpath(QFileInfo(path).absolutePath())) {
    return Error{QFileInfo(path).absolutePath().toStdString() + ": the folder cannot be made"};
  }
  auto opened = open_and_check(path);
  if (opened.ok()) return QString();
  close();
  if (!QFile::exists(path) || !QSqlDatabase::isDriverAvailable("QSQLITE")) return opened.error();

  const QString aside = path + ".damaged-" + QDateTime::currentDateTime().toString("yyyy-MM-ddTHHmmss");
  for (const char* part : {"", "-wal", "-shm"}) {
    if (QFile::exists(path + part) && !QFile::rename(path + part, aside + part)) {
      return Error{opened.error().message + "; it cannot be moved aside either"};
    }
  }
  POPLENS_CHECK(open_and_check(path));
  return QString("The file of conversations is damaged (%1). It was kept as %2, and a new one was begun.")
      .arg(QString::fromStdString(opened.error().message), QFileInfo(aside).fileName());
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
  return write_conversation(connection_, conversation);
}

Result<void> ChatDatabase::rename(const QString& conversation, const QString& title) {
  POPLENS_CHECK(run(connection_, "UPDATE conversations SET title=? WHERE id=?", {stored(title), conversation}));
  return {};
}

Result<void> ChatDatabase::remove(const QString& conversation) {
  POPLENS_CHECK(run(connection_, "DELETE FROM conversations WHERE id=?", {conversation}));
  return {};
}

Result<void> ChatDatabase::save(const ConversationRecord& conversation, const QList<MessageRecord>& messages) {
  return in_transaction(connection_, [&]() -> Result<void> {
    POPLENS_CHECK(write_conversation(connection_, conversation));
    for (const MessageRecord& message : messages) POPLENS_CHECK(write_message(connection_, message));
    return {};
  });
}

Result<void> ChatDatabase::remove_from(const QString& conversation, int position) {
  POPLENS_CHECK(
      run(connection_, "DELETE FROM messages WHERE conversation=? AND position>=?", {conversation, position}));
  return {};
}

Result<QHash<QString, QString>> ChatDatabase::settings() {
  POPLENS_TRY(query, run(connection_, "SELECT name, value FROM settings"));
  QHash<QString, QString> values;
  while (query.next()) values.insert(query.value(0).toString(), query.value(1).toString());
  return values;
}

Result<void> ChatDatabase::save_setting(const QString& name, const QString& value) {
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
