// Conversations on the disk: what is written is there again, a process that dies loses nothing, damage is set aside.
#include <csignal>

#include <QDir>
#include <QFile>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <sys/wait.h>
#include <unistd.h>

#include "ui/store/chat_database.h"

using namespace poplens::ui;

namespace {

ConversationRecord conversation(const QString& id, const QString& title, qint64 changed) {
  return {.id = id,
          .title = title,
          .system = "Be brief.",
          .sampling = {.temperature = 0.7, .seed = 18446744073709551615ULL},
          .changedMs = changed};
}

SentPicture picture(const QString& hash) {
  SentPicture value;
  value.hash = hash;
  value.name = "invoice.jpg";
  value.size = {4032, 3024};
  value.modelSize = {1536, 1152};
  value.tokens = 1728;
  value.maxTokens = 2048;
  return value;
}

MessageRecord message(const QString& id, const QString& owner, int position, const QString& text) {
  return {.id = id,
          .conversation = owner,
          .position = position,
          .role = position % 2 == 0 ? "user" : "assistant",
          .text = text};
}

}  // namespace

class ChatDatabaseTest : public QObject {
  Q_OBJECT

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void keepsMessagesWithPicturesAndFigures() {
    {
      ChatDatabase database;
      QVERIFY(database.open(path()).ok());
      MessageRecord question = message("q", "a", 0, "What is the total?");
      question.pictures = {picture("h1"), picture("h2")};
      MessageRecord answer = message("r", "a", 1, "**12**");
      answer.figures.ttftMs = 724.5;
      answer.figures.stages.prefill_ms = 388.25;
      answer.figures.ahead.vision_ms = 214.0;
      answer.figures.prunedLayers = 12;
      answer.figures.boundary = "text";
      QVERIFY(database.save(conversation("a", "Invoice", 5), {question, answer}).ok());
    }
    ChatDatabase database;
    auto opened = database.open(path());
    QVERIFY(opened.ok());
    QCOMPARE(*opened, QString());
    auto messages = database.messages("a");
    QVERIFY(messages.ok());
    QCOMPARE(messages->size(), 2);
    QCOMPARE(messages->at(0).text, QString("What is the total?"));
    QCOMPARE(messages->at(0).pictures, QList<SentPicture>({picture("h1"), picture("h2")}));
    QCOMPARE(messages->at(1).figures.ttftMs, 724.5);
    QCOMPARE(messages->at(1).figures.stages.prefill_ms, 388.25);
    QCOMPARE(messages->at(1).figures.ahead.vision_ms, 214.0);
    QCOMPARE(messages->at(1).figures.prunedLayers, 12);
    auto list = database.conversations();
    QVERIFY(list.ok());
    QCOMPARE(list->at(0).pictures, 2);
    QCOMPARE(list->at(0).system, QString("Be brief."));
    QCOMPARE(list->at(0).sampling.temperature, 0.7);
    QCOMPARE(list->at(0).sampling.seed, quint64(18446744073709551615ULL));
  }

  void newestFirst() {
    ChatDatabase database;
    QVERIFY(database.open(path()).ok());
    QVERIFY(database.save(conversation("old", "Old", 1)).ok());
    QVERIFY(database.save(conversation("new", "New", 2)).ok());
    QCOMPARE(ids(database, {}), QStringList({"new", "old"}));
    QVERIFY(database.save(conversation("old", "Old", 3)).ok());
    QCOMPARE(ids(database, {}), QStringList({"old", "new"}));
  }

  void searchesTitlesAndMessagesForAllWords() {
    ChatDatabase database;
    QVERIFY(database.open(path()).ok());
    QVERIFY(database.save(conversation("a", "Invoice from the fair", 1), {message("1", "a", 0, "100 % of it?")}).ok());
    QVERIFY(
        database.save(conversation("b", "Valves", 2), {message("2", "b", 0, "Which valve is open at the fair")}).ok());
    QCOMPARE(ids(database, "fair"), QStringList({"b", "a"}));
    QCOMPARE(ids(database, "FAIR invoice"), QStringList({"a"}));
    QCOMPARE(ids(database, "valve"), QStringList({"b"}));
    QCOMPARE(ids(database, "%"), QStringList({"a"}));
    QCOMPARE(ids(database, "_"), QStringList());
    QCOMPARE(ids(database, "'; DROP TABLE messages; --"), QStringList());
  }

  void editingDropsWhatFollows() {
    ChatDatabase database;
    QVERIFY(database.open(path()).ok());
    MessageRecord question = message("1", "a", 2, "second");
    question.pictures = {picture("h3")};
    QVERIFY(database.save(conversation("a", "A", 1), {message("0", "a", 0, "first"), question}).ok());
    QVERIFY(database.save(conversation("a", "A", 2), {message("2", "a", 1, "another")}, 1).ok());
    QCOMPARE(database.messages("a")->size(), 2);
    QCOMPARE(database.messages("a")->at(1).text, QString("another"));
    QCOMPARE(*database.pictures_in_use(), QList<QString>());
  }

  void deletingAConversationDeletesItsMessages() {
    ChatDatabase database;
    QVERIFY(database.open(path()).ok());
    QVERIFY(database.save(conversation("a", "A", 1), {message("0", "a", 0, "first")}).ok());
    QVERIFY(database.remove("a").ok());
    QVERIFY(database.conversations()->isEmpty());
    QVERIFY(database.messages("a")->isEmpty());
  }

  void answerThatRanWhenTheProgramEndedIsStopped() {
    ChatDatabase database;
    QVERIFY(database.open(path()).ok());
    MessageRecord answer = message("1", "a", 1, "half of");
    answer.state = MessageState::running;
    QVERIFY(database.save(conversation("a", "A", 1), {answer}).ok());
    QCOMPARE(database.messages("a")->at(0).state, MessageState::stopped);
    QCOMPARE(database.messages("a")->at(0).text, QString("half of"));
  }

  // The child process dies without any clean-up as soon as save() has returned.
  void killedProcessLosesNoSentMessage() {
    const pid_t child = fork();
    if (child == 0) {
      ChatDatabase database;
      const bool saved = database.open(path()).ok() &&
                         database.save(conversation("a", "A", 1), {message("0", "a", 0, "do not lose me")}).ok();
      kill(getpid(), saved ? SIGKILL : SIGTERM);
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    ChatDatabase database;
    QVERIFY(database.open(path()).ok());
    QCOMPARE(database.messages("a")->at(0).text, QString("do not lose me"));
  }

  void damagedFileIsKeptAndAFreshOneBegun() {
    {
      QFile file(path());
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(QByteArray(8192, 'x'));
    }
    ChatDatabase database;
    auto opened = database.open(path());
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message.c_str());
    QVERIFY2(opened->contains("damaged"), qPrintable(*opened));
    const QStringList kept = QDir(folder_->path()).entryList({"*.damaged-*"});
    QCOMPARE(kept.size(), 1);
    QVERIFY(opened->contains(kept[0]));
    QFile file(folder_->filePath(kept[0]));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray(8192, 'x'));
    QVERIFY(database.save(conversation("a", "A", 1)).ok());
  }

  // Another program that holds the file is no damage: it stays where it is.
  void lockedFileIsLeftAlone() {
    {
      ChatDatabase database;
      QVERIFY(database.open(path()).ok());
      QVERIFY(database.save(conversation("a", "A", 1), {message("0", "a", 0, "first")}).ok());
    }
    {
      QSqlDatabase other = QSqlDatabase::addDatabase("QSQLITE", "other");
      other.setDatabaseName(path());
      QVERIFY(other.open());
      QSqlQuery query(other);
      QVERIFY(query.exec("PRAGMA locking_mode=EXCLUSIVE"));
      QVERIFY(query.exec("UPDATE conversations SET title='B'"));
      ChatDatabase database;
      const auto opened = database.open(path());
      QVERIFY(!opened.ok());
      QVERIFY2(opened.error().message.find("locked") != std::string::npos, opened.error().message.c_str());
      QCOMPARE(QDir(folder_->path()).entryList({"*.damaged-*"}), QStringList());
      query.finish();
      other.close();
    }
    QSqlDatabase::removeDatabase("other");
    ChatDatabase database;
    QVERIFY(database.open(path()).ok());
    QCOMPARE(database.messages("a")->size(), 1);
  }

  void removingTellsWhichPicturesNobodyShows() {
    ChatDatabase database;
    QVERIFY(database.open(path()).ok());
    MessageRecord first = message("0", "a", 0, "first");
    first.pictures = {picture("h1"), picture("h2"), picture("h1")};
    MessageRecord second = message("1", "b", 0, "second");
    second.pictures = {picture("h2")};
    QVERIFY(database.save(conversation("a", "A", 7), {first}).ok());
    QVERIFY(database.save(conversation("b", "B", 8), {second}).ok());
    const auto removed = database.remove("a");
    QVERIFY(removed.ok());
    QCOMPARE(removed->pictures, QList<QString>({"h1"}));
    QCOMPARE(removed->changed_ms, 7);
    QCOMPARE(database.remove("b")->pictures, QList<QString>({"h2"}));
  }

  void folderThatCannotBeWrittenIsAnError() {
    ChatDatabase database;
    auto opened = database.open("/proc/poplens/chats.sqlite");
    QVERIFY(!opened.ok());
    QVERIFY(QString::fromStdString(opened.error().message).contains("/proc/poplens"));
  }

  // Where SQLite may make its files beside this one, and where it may not.
  void readOnly_data() {
    QTest::addColumn<bool>("barred");
    QTest::newRow("files beside it") << false;
    QTest::newRow("no files beside it") << true;
  }
  void readOnly() {
    QFETCH(bool, barred);
    const QString file = folder_->filePath("50% a?b #1/chats.sqlite");
    {
      ChatDatabase database;
      QVERIFY(database.open(file).ok());
      QVERIFY(database.may_write());
      QVERIFY(database.save(conversation("a", "A", 7), {message("0", "a", 0, "first")}).ok());
    }
    // Whoever follows the link, or would make its file, finds no folder.
    if (barred) QVERIFY(QFile::link("/nowhere/chats.sqlite-shm", file + "-shm"));
    ChatDatabase database;
    QVERIFY(database.open_to_read(file).ok());
    QVERIFY(!database.may_write());
    QCOMPARE(ids(database, {}), QStringList({"a"}));
    QCOMPARE(database.messages("a")->first().text, QString("first"));
    QVERIFY(database.settings().ok());
    if (barred) return;
    // What may be written after all is written.
    QVERIFY(database.save(conversation("b", "B", 8), {}).ok());
    QVERIFY(database.may_write());
  }
  void readOnlyWithoutAFileIsAnError() {
    ChatDatabase database;
    QVERIFY(!database.open_to_read(path()).ok());
    QVERIFY(!QFile::exists(path()));
  }

  void settingsAreKept() {
    ChatDatabase database;
    QVERIFY(database.open(path()).ok());
    QVERIFY(database.save_setting("scheme", "1").ok());
    QVERIFY(database.save_setting("scheme", "2").ok());
    QCOMPARE(database.settings()->value("scheme"), QString("2"));
  }

 private:
  QString path() const { return folder_->filePath("chats.sqlite"); }
  static QStringList ids(ChatDatabase& database, const QString& search) {
    QStringList list;
    const auto found = database.conversations(search);
    for (const ConversationRecord& record : found.value()) list.append(record.id);
    return list;
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(ChatDatabaseTest)
#include "tst_chat_database.moc"
