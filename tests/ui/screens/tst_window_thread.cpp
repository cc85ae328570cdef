// The window's thread never waits for a file, the database or the engine: every call into the file system that it makes
// while the real screens are driven is seen, whoever makes it. (The engine's room refuses to work for it by itself.)
#include <QClipboard>
#include <QDir>
#include <QFile>

#include "tests/ui/screens/file_watch.h"
#include "tests/ui/screens/qml_warnings.h"
#include "tests/ui/screens/screen_driver.h"

using namespace poplens::ui;
using namespace poplens::test;

class WindowThreadTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(QDir().mkpath(home_.filePath("models/tiny")));
    for (const char* name : {"config.json", "model.safetensors", "tokenizer.json", "preprocessor_config.json"}) {
      const QString source = QString(POPLENS_TEST_DATA) + "/data/qwen3_vl/tiny-tied/" + name;
      QVERIFY(QFile::copy(source, home_.filePath("models/tiny/") + name));
    }
    qputenv("HOME", home_.path().toUtf8());
    for (const char* name : {"HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "OLLAMA_MODELS"}) qunsetenv(name);
    // What Qt reads once for itself (fonts, the style) is read before anything counts.
    ScreenDriver first;
    QVERIFY(first.up());
    QTRY_COMPARE_WITH_TIMEOUT(first.program().engine()->state(), EngineState::Ready, kLongMs);
  }
  void init() {
    warnings_.emplace();
    screen_ = std::make_unique<ScreenDriver>();
    QVERIFY(screen_->up());
    QTRY_COMPARE_WITH_TIMEOUT(program().engine()->state(), EngineState::Ready, kLongMs);
    program().settings()->setMaxTokens(8);
    program().compare()->setRuns(1);
    watch_ = std::make_unique<FileWatch>();
  }
  void cleanup() {
    const QStringList calls = watch_->calls();
    const int others = watch_->calls_of_others();
    watch_.reset();
    screen_.reset();
    const QStringList warnings = warnings_->all();
    warnings_.reset();
    QCOMPARE(warnings, QStringList());
    QVERIFY2(calls.isEmpty(), qPrintable("the window's thread called\n" + calls.join("\n")));
    QVERIFY2(others > 0, "not even the calls of the other threads are seen");
  }

  // The watch itself sees what this thread does.
  void seesACall() {
    {
      const FileWatch own;
      QFile file(home_.filePath("models/tiny/config.json"));
      QVERIFY(file.open(QIODevice::ReadOnly));
      QVERIFY(!file.readAll().isEmpty());
      const QString calls = own.calls().join("\n");
      QVERIFY2(calls.contains("config.json") && calls.contains("open") && calls.contains("read"), qPrintable(calls));
    }
    watch_.reset();
    watch_ = std::make_unique<FileWatch>();
    screen_->press(Qt::Key_N, Qt::ControlModifier);
    ask("Hello");
  }

  void startsAgain() {
    ask("Hello");
    screen_->restart();
    QTRY_COMPARE_WITH_TIMEOUT(program().engine()->state(), EngineState::Ready, kLongMs);
    QTRY_VERIFY(screen_->find("Hello", QAccessible::ListItem) != nullptr);
  }

  void attachesAsksAndShows() {
    screen_->drop({ScreenDriver::source("assets/samples/shapes.png")});
    QTRY_VERIFY_WITH_TIMEOUT(program().chat()->attachments()->ready(), kLongMs);
    QTRY_VERIFY_WITH_TIMEOUT(program().chat()->ahead()->done(), kLongMs);
    QImage image(96, 64, QImage::Format_RGB32);
    image.fill(Qt::blue);
    QGuiApplication::clipboard()->setImage(image);
    screen_->press(Qt::Key_V, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(program().chat()->attachments()->count(), 2, kLongMs);
    QTRY_VERIFY_WITH_TIMEOUT(program().chat()->attachments()->ready(), kLongMs);
    ask("The ring has which color?");
    QVERIFY(screen_->click("Picture shapes.png, show in full"));
    QTRY_VERIFY(screen_->shows("Actual size"));
    screen_->press(Qt::Key_Escape);
    QVERIFY(screen_->click("Regenerate"));
    waitForAnswer();
    QVERIFY(screen_->click("Copy"));
    QVERIFY(screen_->click("Edit"));
    screen_->press(Qt::Key_Return);
    waitForAnswer();
  }

  void stops() {
    screen_->type("Hello");
    screen_->press(Qt::Key_Return);
    screen_->press(Qt::Key_Escape);
    waitForAnswer();
  }

  void searchesRenamesAndDeletes() {
    ask("Where is the valve?");
    screen_->press(Qt::Key_N, Qt::ControlModifier);
    ask("How many bolts?");
    screen_->press(Qt::Key_F, Qt::ControlModifier);
    screen_->type("valve");
    QTRY_VERIFY(screen_->find("How many bolts?", QAccessible::ListItem) == nullptr);
    QVERIFY(screen_->click("Where is the valve?", QAccessible::ListItem));
    QTRY_COMPARE(program().chat()->messages()->count(), 2);
    program().conversations()->rename(program().conversations()->idAt(0), "Valves");
    QTRY_VERIFY(screen_->find("Valves", QAccessible::ListItem) != nullptr);
    program().conversations()->remove(program().conversations()->idAt(0));
    QTRY_COMPARE(program().chat()->messages()->count(), 0);
  }

  void measuresAndPrunes() {
    ask("Hello");
    QVERIFY(screen_->click("Prefill-only pruning", QAccessible::CheckBox));
    QVERIFY(screen_->click("Measure on this conversation"));
    QTRY_VERIFY_WITH_TIMEOUT(!program().pop()->measuring(), kLongMs);
    QVERIFY2(program().pop()->measureError().isEmpty(), qPrintable(program().pop()->measureError()));
    QVERIFY(screen_->click("Auto"));
    screen_->press(Qt::Key_1, Qt::AltModifier);
    ask("And now?");
  }

  void comparesSweepsAndExports() {
    screen_->type("The ring has which color?");
    QVERIFY(screen_->click("Compare"));
    QTRY_VERIFY(screen_->shows("Full model"));
    screen_->press(Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(program().compare()->done(), kLongMs);
    QVERIFY(screen_->click("Run sweep"));
    QTRY_VERIFY(program().compare()->sweep()->running());
    QTRY_VERIFY_WITH_TIMEOUT(!program().compare()->sweep()->running(), kLongMs);
    for (const char* name : {"out.json", "out.csv"}) {
      program().compare()->exportTo(QUrl::fromLocalFile(home_.filePath(name)));
      QTRY_VERIFY(program().compare()->exported().contains(name));
    }
    QObject* page = screen_->item("comparePage");
    QVERIFY(page != nullptr);
    QVERIFY(QMetaObject::invokeMethod(page, "grabTo", Q_ARG(QUrl, QUrl::fromLocalFile(home_.filePath("out.png")))));
    QTRY_VERIFY(program().compare()->exported().contains("out.png"));
  }

  void findsAndLoadsModels() {
    QVERIFY(screen_->click("Models"));
    QTRY_VERIFY(!program().models()->looking());
    program().models()->addFolder(QUrl::fromLocalFile(home_.filePath("models")));
    QTRY_VERIFY_WITH_TIMEOUT(screen_->shows("tiny"), kLongMs);
    QVERIFY(screen_->click("Load"));
    QTRY_COMPARE_WITH_TIMEOUT(program().engine()->state(), EngineState::Ready, kLongMs);
    QCOMPARE(program().engine()->model(), QString("tiny"));
    QVERIFY(screen_->click("No longer look in"));
    program().engine()->choose({.folder = "/nowhere/model"});
    program().engine()->load();
    QTRY_COMPARE_WITH_TIMEOUT(program().engine()->state(), EngineState::Failed, kLongMs);
  }

  void changesSettings() {
    QVERIFY(screen_->click("Settings"));
    QTRY_VERIFY(screen_->click("System prompt", QAccessible::EditableText));
    screen_->type("Be brief.");
    screen_->press(Qt::Key_Tab);
    program().settings()->setScheme(Settings::Dark);
    program().settings()->setThreads(2);
    QTest::qWait(200);
    screen_->press(Qt::Key_1, Qt::AltModifier);
    ask("Hello");
  }

 private:
  Program& program() { return screen_->program(); }
  void waitForAnswer() { QTRY_VERIFY_WITH_TIMEOUT(!program().chat()->running(), kLongMs); }
  void ask(const QString& text) {
    // The answer may be there before the key is let go.
    const int before = program().chat()->messages()->count();
    screen_->type(text);
    screen_->press(Qt::Key_Return);
    QTRY_COMPARE(program().chat()->messages()->count(), before + 2);
    waitForAnswer();
    QCOMPARE(program().chat()->messages()->last()->state(), ChatMessage::Done);
  }

  QTemporaryDir home_;
  std::unique_ptr<ScreenDriver> screen_;
  std::optional<QmlWarnings> warnings_;
  std::unique_ptr<FileWatch> watch_;
};

int main(int argc, char* argv[]) {
  qputenv("QT_QUICK_BACKEND", "software");
  QGuiApplication app(argc, argv);
  WindowThreadTest test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_window_thread.moc"
