// The window as a person uses it: drop, paste, ask, stop, regenerate, edit, move the slider, come back after a restart.
#include <QClipboard>

#include "tests/ui/screens/qml_warnings.h"
#include "tests/ui/screens/screen_driver.h"

using namespace poplens::ui;
using namespace poplens::test;

class ChatScreenTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    warnings_.emplace();
    screen_ = std::make_unique<ScreenDriver>();
    QVERIFY(screen_->up());
    QTRY_COMPARE_WITH_TIMEOUT(screen_->program().engine()->state(), EngineState::Ready, kLongMs);
    screen_->program().settings()->setMaxTokens(24);
  }
  void cleanup() {
    screen_.reset();
    const QStringList warnings = warnings_->all();
    warnings_.reset();
    QCOMPARE(warnings, QStringList());
  }

  void dropsAPictureAndAsks() {
    screen_->drop({ScreenDriver::source("assets/samples/shapes.png")});
    QTRY_VERIFY_WITH_TIMEOUT(screen_->shows("shapes.png"), kLongMs);
    QTRY_VERIFY_WITH_TIMEOUT(screen_->find("Remove picture shapes.png") != nullptr, kLongMs);
    QTRY_VERIFY_WITH_TIMEOUT(screen_->program().chat()->attachments()->ready(), kLongMs);
    screen_->type("The ring has which color?");
    QCOMPARE(screen_->program().chat()->draft(), QString("The ring has which color?"));
    QVERIFY(screen_->click("Send"));
    waitForAnswer();
    QVERIFY(screen_->shows("You asked: The ring has which color?"));
    QVERIFY(screen_->shows("First token after"));
    QTRY_VERIFY(screen_->find("The ring has which color?", QAccessible::ListItem) != nullptr);
  }

  void pastesAPicture() {
    QImage image(96, 64, QImage::Format_RGB32);
    image.fill(Qt::blue);
    QGuiApplication::clipboard()->setImage(image);
    screen_->press(Qt::Key_V, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(screen_->program().chat()->attachments()->count(), 1, kLongMs);
    QTRY_VERIFY_WITH_TIMEOUT(screen_->shows("96 × 64 →"), kLongMs);
    QVERIFY(screen_->click("Remove picture"));
    QTRY_COMPARE(screen_->program().chat()->attachments()->count(), 0);
  }

  void stopsWithEscapeAndAsksAgain() {
    // A picture that takes long enough to be stopped, and nothing done for it before the question is sent.
    screen_->program().settings()->setPrefillAhead(false);
    QImage image(1024, 768, QImage::Format_RGB32);
    image.fill(Qt::green);
    QGuiApplication::clipboard()->setImage(image);
    screen_->press(Qt::Key_V, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(screen_->program().chat()->attachments()->count(), 1, kLongMs);
    QTRY_VERIFY_WITH_TIMEOUT(screen_->program().chat()->attachments()->ready(), kLongMs);
    screen_->type("Hello");
    screen_->press(Qt::Key_Return);
    QVERIFY(screen_->program().chat()->running());
    screen_->press(Qt::Key_Escape);
    waitForAnswer();
    QCOMPARE(screen_->program().chat()->messages()->last()->state(), ChatMessage::Stopped);
    QVERIFY(screen_->shows("Stopped"));
    QVERIFY(screen_->click("Regenerate"));
    waitForAnswer();
    QCOMPARE(screen_->program().chat()->messages()->last()->state(), ChatMessage::Done);
  }

  void editsAQuestion() {
    ask("Hello");
    QVERIFY(screen_->click("Edit"));
    QCOMPARE(screen_->program().chat()->draft(), QString("Hello"));
    screen_->type(" there");
    screen_->press(Qt::Key_Return);
    waitForAnswer();
    QCOMPARE(screen_->program().chat()->messages()->count(), 2);
    QCOMPARE(screen_->program().chat()->messages()->at(0)->text(), QString("Hello there"));
  }

  void slidesWhileItAnswers() {
    PopPanel* pop = screen_->program().pop();
    QVERIFY(screen_->click("Prefill-only pruning", QAccessible::CheckBox));
    QVERIFY(pop->on());
    QAccessibleInterface* slider = screen_->wait_for("Layers pruned in the prefill", QAccessible::Slider);
    QVERIFY(slider != nullptr);
    screen_->type("Hello");
    screen_->press(Qt::Key_Return);
    QTest::mouseClick(&screen_->window(), Qt::LeftButton, {}, screen_->window().mapFromGlobal(slider->rect().center()));
    const int middle = pop->depth();
    QVERIFY(qAbs(middle - pop->layers() / 2) <= 1);
    screen_->press(Qt::Key_Left);
    QCOMPARE(pop->depth(), middle + 1);
    screen_->press(Qt::Key_PageUp);
    QCOMPARE(pop->depth(), middle - 3);
    screen_->press(Qt::Key_End);
    QCOMPARE(pop->depth(), 0);
    screen_->press(Qt::Key_Home);
    QCOMPARE(pop->depth(), pop->layers());
    waitForAnswer();
  }

  void findsAConversationAfterARestart() {
    ask("Where is the valve?");
    ask("And the second one?");
    const QString text = screen_->program().chat()->messages()->last()->text();
    screen_->restart();
    QTRY_VERIFY(screen_->find("Where is the valve?", QAccessible::ListItem) != nullptr);
    screen_->press(Qt::Key_F, Qt::ControlModifier);
    screen_->type("nowhere");
    QTRY_VERIFY(screen_->find("Where is the valve?", QAccessible::ListItem) == nullptr);
    screen_->press(Qt::Key_Escape);
    screen_->type("VALVE second");
    QTRY_VERIFY(screen_->find("Where is the valve?", QAccessible::ListItem) != nullptr);
    QVERIFY(screen_->click("Where is the valve?", QAccessible::ListItem));
    QTRY_COMPARE(screen_->program().chat()->messages()->count(), 4);
    QCOMPARE(screen_->program().chat()->messages()->last()->text(), text);
  }

  void aModelThatFailsIsACard() {
    screen_->program().engine()->choose({.folder = "/nowhere/model"});
    ask("Hello");
    QAccessibleInterface* card = screen_->wait_for("", QAccessible::AlertMessage);
    QVERIFY(card != nullptr);
    QVERIFY(card->text(QAccessible::Name).contains("/nowhere/model"));
    QVERIFY(screen_->click("Try again"));
    waitForAnswer();
  }

  void isUsableWhenSmall() {
    screen_->window().resize(800, 600);
    QTRY_COMPARE(screen_->window().width(), 800);
    QTRY_VERIFY(screen_->find("Prefill-only pruning", QAccessible::CheckBox) == nullptr);
    screen_->press(Qt::Key_F9);
    QTRY_VERIFY(screen_->find("Prefill-only pruning", QAccessible::CheckBox) != nullptr);
    QVERIFY(screen_->wait_for("Send") != nullptr);
    QTest::qWait(500);  // it slides in
    screen_->press(Qt::Key_F9);
    QTRY_VERIFY(screen_->find("Prefill-only pruning", QAccessible::CheckBox) == nullptr);
  }

  // Whatever takes the focus has a name and a role.
  void everyControlHasANameAndARole() {
    screen_->drop({ScreenDriver::source("assets/samples/shapes.png")});
    QTRY_VERIFY_WITH_TIMEOUT(screen_->program().chat()->attachments()->ready(), kLongMs);
    QSet<QObject*> seen;
    for (int i = 0; i < 60; ++i) {
      screen_->press(Qt::Key_Tab);
      QQuickItem* item = screen_->window().activeFocusItem();
      QVERIFY(item != nullptr);
      seen.insert(item);
      const QAccessibleInterface* control = QAccessible::queryAccessibleInterface(item);
      QVERIFY2(control != nullptr, qPrintable(item->metaObject()->className()));
      QVERIFY2(!control->text(QAccessible::Name).isEmpty(), item->metaObject()->className());
      QVERIFY2(control->role() != QAccessible::NoRole && control->role() != QAccessible::Client,
               qPrintable(control->text(QAccessible::Name)));
    }
    QVERIFY2(seen.size() >= 10, qPrintable(QString::number(seen.size())));
  }

 private:
  void waitForAnswer() { QTRY_VERIFY_WITH_TIMEOUT(!screen_->program().chat()->running(), kLongMs); }
  void ask(const QString& text) {
    screen_->type(text);
    screen_->press(Qt::Key_Return);
    waitForAnswer();
  }

  std::unique_ptr<ScreenDriver> screen_;
  std::optional<QmlWarnings> warnings_;
};

int main(int argc, char* argv[]) {
  qputenv("QT_QUICK_BACKEND", "software");
  QGuiApplication app(argc, argv);
  ChatScreenTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_chat_screen.moc"
