// Controls as keys, narrow windows and endless texts meet them.
#include <QClipboard>

#include "tests/ui/screens/qml_warnings.h"
#include "tests/ui/screens/screen_driver.h"

using namespace poplens::ui;
using namespace poplens::test;

class ControlsTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    warnings_.emplace();
    screen_ = std::make_unique<ScreenDriver>();
    QVERIFY(screen_->up());
    QTRY_COMPARE_WITH_TIMEOUT(program().engine()->state(), EngineState::Ready, kLongMs);
  }
  void cleanup() {
    screen_.reset();
    const QStringList warnings = warnings_->all();
    warnings_.reset();
    QCOMPARE(warnings, QStringList());
  }

  void enterOpensAChoiceAndPicks_data() {
    QTest::addColumn<Qt::Key>("key");
    QTest::newRow("Enter") << Qt::Key_Return;
    QTest::newRow("of the number pad") << Qt::Key_Enter;
    QTest::newRow("space") << Qt::Key_Space;
  }
  void enterOpensAChoiceAndPicks() {
    QFETCH(const Qt::Key, key);
    program().settings()->setScheme(Settings::Light);
    screen_->press(Qt::Key_4, Qt::AltModifier);
    QAccessibleInterface* look = screen_->wait_for("Light", QAccessible::ComboBox);
    QVERIFY(look != nullptr);
    auto* choice = qobject_cast<QQuickItem*>(look->object());
    const auto is_open = [&] { return choice->property("popup").value<QObject*>()->property("visible").toBool(); };
    choice->forceActiveFocus(Qt::TabFocusReason);
    screen_->press(key);
    QVERIFY(is_open());
    screen_->press(Qt::Key_Down);
    QCOMPARE(program().settings()->scheme(), Settings::Light);
    screen_->press(key);
    QVERIFY(!is_open());
    QCOMPARE(program().settings()->scheme(), Settings::Dark);
    screen_->press(key);
    screen_->press(Qt::Key_Up);
    screen_->press(Qt::Key_Escape);
    QVERIFY(!is_open());
    QCOMPARE(program().settings()->scheme(), Settings::Dark);
    QVERIFY(choice->hasActiveFocus());
  }

  // At the least width the model's name and device are cut short, and nothing lies over its neighbour.
  void modelStaysInItsFrame() {
    screen_->window().resize(screen_->window().minimumSize());
    QTRY_COMPARE(screen_->window().width(), screen_->window().minimumWidth());
    QAccessibleInterface* model = screen_->wait_for("Model: demo-qwen3-vl", QAccessible::Button);
    QVERIFY(model != nullptr);
    auto* badge = qobject_cast<QQuickItem*>(model->object());
    const auto* row = badge->property("contentItem").value<QQuickItem*>();
    const auto ends = [&] {
      double x = 0;
      for (const QQuickItem* child : row->childItems()) x = std::max(x, row->x() + child->x() + child->width());
      return x;
    };
    QTRY_VERIFY2(ends() <= badge->width(), qPrintable(QString("%1 of %2").arg(ends()).arg(badge->width())));
    QVERIFY(badge->width() > 100);
  }

  void keysGoToTheComposerWhenAPictureGoes() {
    for (const char* button : {"Remove picture", "Remove all"}) {
      screen_->drop(QStringList(2, ScreenDriver::source("assets/samples/shapes.png")));
      QTRY_VERIFY_WITH_TIMEOUT(program().chat()->attachments()->ready(), kLongMs);
      QVERIFY(screen_->click(button));
      QTRY_VERIFY(program().chat()->attachments()->count() < 2);
      screen_->type("x");
      QTRY_COMPARE(program().chat()->draft(), QString("x"));
      program().chat()->begin();
    }
  }

  // Wherever over the conversation a picture is held, the composer tells that it will come there.
  void composerShowsThatItTakesAPicture() {
    const auto dropping = [this] { return screen_->item("composer")->property("dropping").toBool(); };
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(ScreenDriver::source("assets/samples/shapes.png"))});
    for (const int y : {screen_->window().height() / 2, screen_->window().height() - 40}) {
      QVERIFY(!dropping());
      QDragEnterEvent enter({screen_->window().width() / 2, y}, Qt::CopyAction, &data, Qt::LeftButton, {});
      QCoreApplication::sendEvent(&screen_->window(), &enter);
      QVERIFY(dropping());
      QDragLeaveEvent leave;
      QCoreApplication::sendEvent(&screen_->window(), &leave);
    }
    QVERIFY(!dropping());
  }

  // What is dragged out of a browser may be an address and nothing else.
  void addressIsNoPicture() {
    program().chat()->attachments()->addFiles({QUrl("https://example.org/pictures/a.png")});
    QVERIFY(screen_->shows("https://example.org/pictures/a.png is no file on this machine: save the picture first."));
    program().chat()->attachments()->addFiles({QUrl("data:image/png;base64," + QString("A").repeated(100'000))});
    QVERIFY(screen_->shows("2 of 2 pictures cannot be sent"));
    QVERIFY(program().chat()->attachments()->pictureAt(1).name.size() <= 80);
  }

  // A million characters are refused in a sentence before they are laid out.
  void endlessTextIsNotPasted() {
    screen_->type("What is this? ");
    paste(QString("x").repeated(1'000'000));
    QCOMPARE(program().chat()->draft(), QString("What is this? "));
    QVERIFY(screen_->shows("A question of 1,000,014 characters is too long: it may have 200,000."));
    // What comes in by another way is told over the composer, and not sent.
    program().chat()->setDraft(QString("word ").repeated(40'001));
    QVERIFY(screen_->shows("A question of 200,005 characters is too long"));
    QVERIFY(!program().chat()->canSend());
    program().chat()->setDraft("word");
    QTRY_VERIFY(screen_->find("A question of 200,005 characters") == nullptr);
    QVERIFY(program().chat()->canSend());
  }

  // Without a space among its letters text is broken anywhere: at words alone it takes seconds.
  // Breaking it where words end would take a time that grows with its square: it is broken anywhere.
  void textWithoutSpacesIsBrokenAnywhere() {
    const QString letters = QString("x").repeated(200'000);
    paste(letters);
    program().chat()->send();
    QTRY_VERIFY_WITH_TIMEOUT(!program().chat()->running(), kLongMs);
    QVERIFY(screen_->shows("You asked: xxx"));
    QCOMPARE(program().chat()->messages()->at(0)->text(), letters);
    const auto* question = qobject_cast<QQuickItem*>(screen_->find("You asked: xxx")->object());
    QCOMPARE(question->property("wrapMode").toInt(), 3);
    screen_->type("Words are not cut.");
    QVERIFY(!program().chat()->longRun());
  }

 private:
  Program& program() { return screen_->program(); }
  void paste(const QString& text) {
    QGuiApplication::clipboard()->setText(text);
    screen_->press(Qt::Key_V, Qt::ControlModifier);
  }

  std::unique_ptr<ScreenDriver> screen_;
  std::optional<QmlWarnings> warnings_;
};

int main(int argc, char* argv[]) {
  qputenv("QT_QUICK_BACKEND", "software");
  QLocale::setDefault(QLocale::English);
  QGuiApplication app(argc, argv);
  ControlsTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_controls.moc"
