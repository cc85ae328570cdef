// The folder of conversations is not always the program's alone, or its to write: nothing is lost, and all goes on.
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include "ui/models/program.h"

using namespace poplens::ui;

namespace {

const QString kModel = QString(POPLENS_SOURCE_DIR) + "/assets/models/demo-qwen3-vl";
const QString kPicture = QString(POPLENS_SOURCE_DIR) + "/assets/samples/shapes.png";
constexpr int kLongMs = 60'000;

std::unique_ptr<Program> start(const QString& folder) {
  auto program = std::make_unique<Program>(ProgramOptions{.data_folder = folder, .default_model = kModel});
  program->start();
  return program;
}

bool ready(Program& program) {
  return QTest::qWaitFor([&] { return program.engine()->state() == EngineState::Ready; }, kLongMs);
}

bool attach(Program& program) {
  AttachmentListModel* attachments = program.chat()->attachments();
  attachments->addFiles({QUrl::fromLocalFile(kPicture)});
  return QTest::qWaitFor([&] { return attachments->ready(); }, kLongMs);
}

bool ask(Program& program, const QString& question) {
  SamplingChoice sampling = program.chat()->sampling();
  sampling.maxTokens = 2;
  program.chat()->set_sampling(sampling);
  program.chat()->setDraft(question);
  program.chat()->send();
  return program.chat()->running() && QTest::qWaitFor([&] { return !program.chat()->running(); }, kLongMs);
}

// A statement of another program's, on the same file.
bool run(const QString& file, const QString& statement) {
  bool done = false;
  {
    QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", "other");
    database.setDatabaseName(file);
    done = database.open() && QSqlQuery(database).exec(statement);
  }
  QSqlDatabase::removeDatabase("other");
  return done;
}

}  // namespace

class DataFolderTest : public QObject {
  Q_OBJECT

 private slots:
  void withoutAFolderItAnswersAllTheSame() {
    const auto program = start("/proc/poplens");
    QVERIFY(ready(*program));
    QVERIFY2(program->notice().contains("cannot be kept") && program->notice().contains("/proc/poplens"),
             qPrintable(program->notice()));
    program->dismissNotice();
    QVERIFY(ask(*program, "Hello"));
    QCOMPARE(program->chat()->messages()->last()->state(), ChatMessage::Done);
    // It has been said once.
    QCOMPARE(program->notice(), QString());
  }

  // A disk that is full for a while: what was asked meanwhile is written when there is room.
  void whatCouldNotBeStoredIsStoredLater() {
    const QTemporaryDir folder;
    {
      const auto program = start(folder.path());
      QVERIFY(ready(*program));
      QVERIFY(ask(*program, "First"));
      QTRY_COMPARE(program->conversations()->count(), 1);
      const QString file = folder.path() + "/chats.sqlite";
      QVERIFY(run(file, "CREATE TRIGGER full BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'full'); END"));
      QVERIFY(ask(*program, "Second"));
      QTRY_VERIFY2(program->notice().contains("could not be stored") && program->notice().contains("full"),
                   qPrintable(program->notice()));
      QVERIFY(run(file, "DROP TRIGGER full"));
      QVERIFY(ask(*program, "Third"));
    }
    const auto program = start(folder.path());
    QTRY_COMPARE(program->conversations()->count(), 1);
    program->chat()->open(program->conversations()->idAt(0));
    QTRY_COMPARE(program->chat()->messages()->count(), 6);
    QCOMPARE(program->chat()->messages()->at(2)->text(), QString("Second"));
    QCOMPARE(program->chat()->messages()->at(3)->state(), ChatMessage::Done);
  }

  // A folder that cannot be had at first, and a file that may not be written: what is asked is stored once it works.
  void folderThatComesLater() {
    const QTemporaryDir home;
    const QString folder = home.filePath("data");
    QFile in_its_place(folder);
    QVERIFY(in_its_place.open(QIODevice::WriteOnly));
    {
      const auto program = start(folder);
      QVERIFY(ready(*program));
      QVERIFY(ask(*program, "First"));
      QCOMPARE(program->conversations()->count(), 0);
      QVERIFY(in_its_place.remove());
      QVERIFY(ask(*program, "Second"));
      QTRY_COMPARE(program->conversations()->count(), 1);
    }
    expect_kept(folder, {"First", "Second"});
  }
  void fileThatMayBeWrittenLater() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("chats.sqlite");
    QVERIFY(ready(*start(folder.path())));
    QVERIFY(QFile::setPermissions(file, QFile::ReadOwner));
    if (QFileInfo(file).isWritable()) QSKIP("this user may write what nobody may");
    {
      const auto program = start(folder.path());
      QVERIFY(ready(*program));
      QVERIFY(ask(*program, "First"));
      QTRY_VERIFY2(program->notice().contains("could not be stored"), qPrintable(program->notice()));
      // SQLite gives its other files the leave of the first.
      for (const char* part : {"", "-wal", "-shm"}) {
        if (QFile::exists(file + part))
          QVERIFY(QFile::setPermissions(file + part, QFile::ReadOwner | QFile::WriteOwner));
      }
      QVERIFY(ask(*program, "Second"));
    }
    expect_kept(folder.path(), {"First", "Second"});
  }

  // A backup that is mounted to be looked at: what was said is read, and what is asked is answered and not kept.
  void folderThatMayOnlyBeRead() {
    const QTemporaryDir home;
    const QString folder = home.filePath("data");
    {
      const auto program = start(folder);
      QVERIFY(ready(*program));
      QVERIFY(ask(*program, "First"));
      QTRY_COMPARE(program->conversations()->count(), 1);
    }
    const QString picture = add_old_picture(folder);
    QVERIFY(QFile::setPermissions(folder, QFile::ReadOwner | QFile::ExeOwner));
    if (QFileInfo(folder).isWritable()) QSKIP("this user may write where nobody may");
    {
      const auto program = start(folder);
      QVERIFY(ready(*program));
      QTRY_COMPARE(program->conversations()->count(), 1);
      QCOMPARE(program->notice(), QString());
      program->chat()->open(program->conversations()->idAt(0));
      QTRY_COMPARE(program->chat()->messages()->count(), 2);
      QVERIFY(ask(*program, "Second"));
      QCOMPARE(program->chat()->messages()->last()->state(), ChatMessage::Done);
      QTRY_VERIFY2(program->notice().startsWith("This could not be stored: the conversations' database: attempt to"),
                   qPrintable(program->notice()));
      // What another program has written since cannot always be seen.
      QVERIFY(QFile::exists(picture));
      QVERIFY(QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
      QVERIFY(ask(*program, "Third"));
    }
    expect_kept(folder, {"First", "Second", "Third"});
  }

  // What one has attached and not sent yet, the other does not clear away.
  void twoProgramsShareAFolder() {
    const QTemporaryDir folder;
    const auto first = start(folder.path());
    QVERIFY(ready(*first));
    QVERIFY(attach(*first));
    const auto second = start(folder.path());
    QVERIFY(ready(*second));
    QVERIFY(ask(*second, "From the second"));
    QVERIFY(ask(*first, "From the first"));
    QCOMPARE(first->chat()->messages()->last()->state(), ChatMessage::Done);
    second->conversations()->refresh();
    QTRY_COMPARE(second->conversations()->count(), 2);
    QCOMPARE(first->notice() + second->notice(), QString());
  }

  void pictureLastUsedLongAgoIsClearedAway() {
    const QTemporaryDir folder;
    const QString path = add_old_picture(folder.path());
    QVERIFY(QFile::exists(path));
    const auto program = start(folder.path());
    QTRY_VERIFY(!QFile::exists(path));
  }

  void deletedConversationTakesItsPicturesAlong() {
    const QTemporaryDir folder;
    const auto program = start(folder.path());
    QVERIFY(ready(*program));
    QVERIFY(attach(*program));
    const QString path = program->pictures().path(program->chat()->attachments()->pictures().first().hash);
    QVERIFY(ask(*program, "What is this?"));
    const QString first = program->chat()->conversation();
    program->chat()->begin();
    QVERIFY(attach(*program));
    QVERIFY(ask(*program, "And this?"));
    const QString second = program->chat()->conversation();
    program->conversations()->remove(first);
    QTRY_COMPARE(program->conversations()->count(), 1);
    QTest::qWait(200);
    QVERIFY(QFile::exists(path));
    program->conversations()->remove(second);
    QTRY_VERIFY(!QFile::exists(path));
  }

  void deletedConversationLeavesWhatIsAttached() {
    const QTemporaryDir folder;
    const auto program = start(folder.path());
    QVERIFY(ready(*program));
    QVERIFY(attach(*program));
    QVERIFY(ask(*program, "What is this?"));
    const QString first = program->chat()->conversation();
    program->chat()->begin();
    QVERIFY(attach(*program));
    const QString path = program->pictures().path(program->chat()->attachments()->pictures().first().hash);
    program->conversations()->remove(first);
    QTRY_COMPARE(program->conversations()->count(), 0);
    QTest::qWait(200);
    QVERIFY(QFile::exists(path));
    QVERIFY(ask(*program, "And this?"));
    QCOMPARE(program->chat()->messages()->last()->state(), ChatMessage::Done);
  }

 private:
  // One that no message shows; gives its file.
  static QString add_old_picture(const QString& folder) {
    const PictureFolder pictures(folder + "/pictures");
    const QString path = pictures.path(*pictures.add("nobody's picture"));
    QFile file(path);
    const bool aged = file.open(QIODevice::ReadWrite) &&
                      file.setFileTime(QDateTime::currentDateTime().addDays(-2), QFileDevice::FileModificationTime);
    return aged ? path : QString();
  }

  // The only conversation of the folder has these questions.
  void expect_kept(const QString& folder, const QStringList& questions) {
    const auto program = start(folder);
    QTRY_COMPARE(program->conversations()->count(), 1);
    Chat* chat = program->chat();
    chat->open(program->conversations()->idAt(0));
    QTRY_COMPARE(chat->messages()->count(), 2 * questions.size());
    for (int i = 0; i < questions.size(); ++i) QCOMPARE(chat->messages()->at(2 * i)->text(), questions[i]);
  }
};

int main(int argc, char* argv[]) {
  QGuiApplication app(argc, argv);
  DataFolderTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_data_folder.moc"
