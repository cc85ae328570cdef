// Compare with its sweep, models and settings, as a person or a screen reader uses them.
#include <QDir>
#include <QFile>
#include <QImage>

#include "tests/ui/screens/qml_warnings.h"
#include "tests/ui/screens/screen_driver.h"

using namespace poplens::ui;
using namespace poplens::test;

class OtherScreensTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    warnings_.emplace();
    home_ = std::make_unique<QTemporaryDir>();
    qputenv("HOME", home_->path().toUtf8());
    for (const char* name : {"HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "OLLAMA_MODELS"}) qunsetenv(name);
    screen_ = std::make_unique<ScreenDriver>();
    QVERIFY(screen_->up());
    QTRY_COMPARE_WITH_TIMEOUT(program().engine()->state(), EngineState::Ready, kLongMs);
    program().settings()->setMaxTokens(12);
    program().compare()->setRuns(1);
  }
  void cleanup() {
    screen_.reset();
    const QStringList warnings = warnings_->all();
    warnings_.reset();
    QCOMPARE(warnings, QStringList());
  }

  void comparesAndSweeps() {
    QVERIFY(screen_->click("Compare"));
    QTRY_VERIFY(screen_->shows("Nothing to compare yet"));
    QVERIFY(screen_->click("Write a question"));
    write_question();
    QVERIFY(screen_->click("Compare"));
    QTRY_VERIFY(screen_->shows("The ring has which color?"));
    // Enter, since the run button has the focus.
    QTRY_VERIFY(screen_->shows("Full model"));
    screen_->press(Qt::Key_Return);
    QTRY_VERIFY(screen_->find("Stop", QAccessible::Button) != nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(program().compare()->done(), kLongMs);
    QTRY_VERIFY(screen_->shows("Full model: first token after"));
    QVERIFY(screen_->shows("POP: first token after"));
    QVERIFY(screen_->shows("Sooner by: "));
    QVERIFY(screen_->shows("First token, KL: "));
    QTRY_VERIFY(screen_->shows("Export"));

    QVERIFY(screen_->click("Run sweep"));
    QTRY_VERIFY(program().compare()->sweep()->running());
    QTRY_VERIFY_WITH_TIMEOUT(!program().compare()->sweep()->running(), kLongMs);
    QTRY_VERIFY(screen_->shows("Deepest with ≥ 97 % agreement"));
    QVERIFY(screen_->shows("Sweep over depth. Depth 0: "));
    if (program().compare()->sweep()->deepest() > 0) {
      QVERIFY(screen_->click("Use this depth"));
      QCOMPARE(program().pop()->depth(), program().compare()->sweep()->deepest());
    }
    // The page as a picture.
    QObject* page = screen_->item("comparePage");
    QVERIFY(page != nullptr);
    const QString file = home_->filePath("page.png");
    QVERIFY(QMetaObject::invokeMethod(page, "grabTo", Q_ARG(QUrl, QUrl::fromLocalFile(file))));
    QTRY_VERIFY(program().compare()->exported().contains(file));
    QVERIFY(QImage(file).width() > 600);
  }

  void stopsAComparison() {
    write_question();
    screen_->press(Qt::Key_2, Qt::AltModifier);
    QTRY_VERIFY(screen_->shows("Full model"));
    // Long enough not to be done before the key.
    program().compare()->setRuns(20);
    screen_->press(Qt::Key_Return);
    QTRY_VERIFY(program().compare()->running());
    screen_->press(Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!program().compare()->running(), kLongMs);
    QTRY_VERIFY(screen_->shows("Stopped before it was done."));
  }

  void comparesFromAnAnswer() {
    write_question();
    program().chat()->send();
    QTRY_VERIFY_WITH_TIMEOUT(!program().chat()->running(), kLongMs);
    QVERIFY(screen_->click("Compare with POP"));
    QTRY_VERIFY(screen_->shows("Full model"));
    QCOMPARE(program().compare()->question(), QString("The ring has which color?"));
  }

  void comparesAPrunedAnswerWithTheFullModel() {
    write_question();
    program().chat()->send();
    QTRY_VERIFY_WITH_TIMEOUT(!program().chat()->running(), kLongMs);
    program().pop()->setOn(true);
    program().pop()->setDepth(1);
    QVERIFY(screen_->click("Regenerate"));
    QTRY_VERIFY_WITH_TIMEOUT(!program().chat()->running(), kLongMs);
    QTRY_VERIFY(screen_->shows("POP 1 of "));
    QVERIFY(screen_->click("Compare with full"));
    QTRY_VERIFY(screen_->shows("Full model"));
    QCOMPARE(program().compare()->question(), QString("The ring has which color?"));
  }

  void whatIsTypedCountsWhenItsScreenGoes() {
    const auto type_in = [&](const QString& field, const QString& text) {
      QAccessibleInterface* control = screen_->wait_for(field, QAccessible::EditableText);
      QVERIFY(control != nullptr);
      qobject_cast<QQuickItem*>(control->object())->forceActiveFocus();
      screen_->press(Qt::Key_A, Qt::ControlModifier);
      screen_->type(text);
    };
    screen_->press(Qt::Key_4, Qt::AltModifier);
    type_in("System prompt", "Be brief.");
    screen_->press(Qt::Key_3, Qt::AltModifier);
    QCOMPARE(program().chat()->system(), QString("Be brief."));
    screen_->press(Qt::Key_4, Qt::AltModifier);
    type_in("Longest answer, in tokens", "34");
    screen_->press(Qt::Key_1, Qt::AltModifier);
    QCOMPARE(program().chat()->sampling().maxTokens, 34);
    screen_->press(Qt::Key_4, Qt::AltModifier);
    type_in("Longest answer of new conversations, in tokens", "56");
    screen_->press(Qt::Key_Q, Qt::ControlModifier);
    QCOMPARE(program().settings()->maxTokens(), 56);
  }

  // Nothing but an end: said in words, and worth a comparison more than any other answer.
  void anEmptyAnswerCanBeCompared() {
    const MessageRecord question{.role = "user", .text = "Hello?"};
    MessageRecord answer{.position = 1, .role = "assistant"};
    answer.figures.ttftMs = 1.0;
    answer.figures.layers = program().engine()->layers();
    answer.figures.prunedLayers = 2;
    program().chat()->messages()->reset({question, answer});
    QTRY_VERIFY(screen_->shows("The answer is empty"));
    QVERIFY(screen_->find("Copy", QAccessible::Button) == nullptr);
    QVERIFY(screen_->click("Compare with full"));
    QTRY_VERIFY(screen_->shows("Full model"));
    QCOMPARE(program().compare()->question(), QString("Hello?"));
  }

  void loadsAModel() {
    const QString snapshot = home_->filePath(".cache/huggingface/hub/models--Org--Tiny/snapshots/1");
    QDir().mkpath(snapshot);
    for (const char* name : {"config.json", "model.safetensors", "tokenizer.json", "preprocessor_config.json"}) {
      QVERIFY(QFile::copy(QString(POPLENS_TEST_DATA) + "/data/qwen3_vl/tiny-tied/" + name, snapshot + "/" + name));
    }
    QFile gguf(home_->filePath(".cache/huggingface/hub/some.gguf"));
    QVERIFY(gguf.open(QIODevice::WriteOnly) && gguf.write("GGUF") == 4);
    gguf.close();
    QVERIFY(screen_->click("Model: demo-qwen3-vl"));
    QTRY_VERIFY_WITH_TIMEOUT(screen_->shows("Org/Tiny"), kLongMs);
    QVERIFY(screen_->shows("GGUF files are not supported yet"));
    QVERIFY(screen_->click("Load"));
    QTRY_COMPARE_WITH_TIMEOUT(program().engine()->state(), EngineState::Ready, kLongMs);
    QTRY_VERIFY(screen_->shows("In use"));
    QCOMPARE(program().engine()->folder(), snapshot);
  }

  void changesSettings() {
    QVERIFY(screen_->click("Settings"));
    QTRY_VERIFY(screen_->find("System prompt", QAccessible::EditableText) != nullptr);
    QVERIFY(screen_->click("System prompt", QAccessible::EditableText));
    screen_->type("Be brief.");
    screen_->press(Qt::Key_Tab);
    QCOMPARE(program().chat()->system(), QString("Be brief."));
    replace("Temperature", "0.5");
    QCOMPARE(program().chat()->sampling().temperature, 0.5);
    QCOMPARE(program().settings()->temperature(), 0.0);
    replace("Seed", "12345678901234567");
    QCOMPARE(program().chat()->sampling().seed, 12345678901234567ULL);
    QTRY_VERIFY(screen_->shows("Set back"));
    program().conversationSettings()->reset();
    QCOMPARE(program().chat()->sampling().temperature, 0.0);
    // A number out of range does not count.
    replace("Temperature", "9");
    QCOMPARE(program().chat()->sampling().temperature, 0.0);
  }

  void everyControlHasANameAndARole_data() {
    QTest::addColumn<QString>("screen");
    for (const char* name : {"compare", "models", "settings"}) QTest::newRow(name) << QString(name);
  }
  void everyControlHasANameAndARole() {
    QFETCH(QString, screen);
    write_question();
    program().compare()->openCurrent();
    screen_->window().setProperty("screen", screen);
    QTest::qWait(300);
    QQuickItem* first = nullptr;
    for (int i = 0; i < 60; ++i) {
      screen_->press(Qt::Key_Tab);
      QQuickItem* item = screen_->window().activeFocusItem();
      QVERIFY(item != nullptr);
      if (item == first) break;
      if (first == nullptr) first = item;
      QAccessibleInterface* control = QAccessible::queryAccessibleInterface(item);
      QVERIFY2(control != nullptr, item->metaObject()->className());
      QVERIFY2(!control->text(QAccessible::Name).isEmpty(), item->metaObject()->className());
      QVERIFY2(control->role() != QAccessible::Client && control->role() != QAccessible::NoRole,
               item->metaObject()->className());
    }
  }

  void isUsableWhenSmall() {
    write_question();
    program().compare()->openCurrent();
    screen_->window().resize(800, 600);
    for (const char* name : {"compare", "models", "settings"}) {
      screen_->window().setProperty("screen", QString(name));
      QTest::qWait(200);
    }
    screen_->window().setProperty("screen", QString("compare"));
    QTRY_VERIFY(screen_->shows("Full model"));
  }

 private:
  Program& program() { return screen_->program(); }

  void write_question() {
    Chat* chat = program().chat();
    chat->attachments()->addFiles({QUrl::fromLocalFile(ScreenDriver::source("assets/samples/shapes.png"))});
    QTRY_VERIFY_WITH_TIMEOUT(chat->attachments()->ready() && chat->attachments()->count() > 0, kLongMs);
    chat->attachments()->setMaxTokens(16);
    QTRY_VERIFY_WITH_TIMEOUT(chat->attachments()->ready(), kLongMs);
    chat->setDraft("The ring has which color?");
  }
  void replace(const QString& field, const QString& text) {
    QVERIFY(screen_->click(field, QAccessible::EditableText));
    screen_->press(Qt::Key_A, Qt::ControlModifier);
    screen_->type(text);
    screen_->press(Qt::Key_Tab);
  }

  std::unique_ptr<QTemporaryDir> home_;
  std::unique_ptr<ScreenDriver> screen_;
  std::optional<QmlWarnings> warnings_;
};

int main(int argc, char* argv[]) {
  qputenv("QT_QUICK_BACKEND", "software");
  QGuiApplication app(argc, argv);
  OtherScreensTest test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_other_screens.moc"
