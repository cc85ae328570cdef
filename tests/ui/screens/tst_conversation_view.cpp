// The conversation and its composer as a person moves in them: wheel, keys, many pictures, second thoughts.
#include <QWheelEvent>

#include "tests/ui/screens/qml_warnings.h"
#include "tests/ui/screens/screen_driver.h"

using namespace poplens::ui;
using namespace poplens::test;

namespace {

// The lower edge of the last control with this name, in the window.
int lowest(QAccessibleInterface* parent, const QString& name) {
  int y = -1;
  for (int i = 0; parent != nullptr && i < parent->childCount(); ++i) {
    QAccessibleInterface* child = parent->child(i);
    if (child == nullptr || child->state().invisible) continue;
    if (child->text(QAccessible::Name) == name) y = std::max(y, child->rect().bottom());
    y = std::max(y, lowest(child, name));
  }
  return y;
}

}  // namespace

class ConversationViewTest : public QObject {
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

  void endStandsClearOfTheComposer() {
    show_conversation();
    const auto room = [&] {
      const QRect view = QAccessible::queryAccessibleInterface(list())->rect();
      return view.bottom() - lowest(QAccessible::queryAccessibleInterface(&screen_->window()), "Regenerate");
    };
    QTRY_VERIFY2(room() >= 20 && room() <= 40, qPrintable(QString::number(room())));
  }

  void staysAtTheEndUnlessSomeoneScrolledAway() {
    show_conversation();
    QTRY_VERIFY(list()->property("atYEnd").toBool());
    const double end = y();
    add_text();
    QTRY_VERIFY(y() > end + 100);
    QTRY_VERIFY(list()->property("atYEnd").toBool());
    const double longer = y();
    wheel(120);
    QTRY_VERIFY(y() < longer - 20);
    QTRY_VERIFY(!list()->property("moving").toBool());
    const double scrolled = y();
    add_text();
    QTest::qWait(200);
    QCOMPARE(y(), scrolled);
    for (int i = 0; i < 40 && !list()->property("atYEnd").toBool(); ++i) {
      wheel(-120);
      QTest::qWait(50);
    }
    QTRY_VERIFY(list()->property("atYEnd").toBool());
    QTRY_VERIFY(!list()->property("moving").toBool());
    const double again = y();
    add_text();
    QTRY_VERIFY(y() > again + 100);
  }

  void pageKeysReadWhileTheComposerHasTheKeys() {
    show_conversation();
    QTRY_VERIFY(list()->property("atYEnd").toBool());
    const double end = y();
    screen_->press(Qt::Key_PageUp);
    QVERIFY(y() < end - 200);
    for (int i = 0; i < 60; ++i) screen_->press(Qt::Key_PageUp);
    QVERIFY(list()->property("atYBeginning").toBool());
    for (int i = 0; i < 60; ++i) screen_->press(Qt::Key_PageDown);
    QVERIFY(list()->property("atYEnd").toBool());
    screen_->type("still here");
    QCOMPARE(program().chat()->draft(), QString("still here"));
  }

  void manyPicturesLeaveRoomForTheConversation() {
    QStringList files(39, ScreenDriver::source("assets/samples/shapes.png"));
    files.append(ScreenDriver::source("README.md"));
    screen_->drop(files);
    AttachmentListModel* attachments = program().chat()->attachments();
    QTRY_COMPARE(attachments->count(), 40);
    QVERIFY(screen_->shows("1 of 40 pictures cannot be sent"));
    QVERIFY(list()->height() > screen_->window().height() / 3.0);
    // The keyboard reaches the last one.
    QAccessibleInterface* last = screen_->wait_for("Remove picture README.md", QAccessible::Button);
    QVERIFY(last != nullptr);
    qobject_cast<QQuickItem*>(last->object())->forceActiveFocus(Qt::TabFocusReason);
    const QRect window(screen_->window().position(), screen_->window().size());
    QTRY_VERIFY(window.contains(last->rect()));
    screen_->press(Qt::Key_Space);
    QTRY_COMPARE(attachments->count(), 39);
    QVERIFY(screen_->click("Remove all"));
    QTRY_COMPARE(attachments->count(), 0);
  }

  void editingCanBeCancelled() {
    show_conversation();
    for (const bool by_key : {false, true}) {
      program().chat()->edit(0);
      QVERIFY(screen_->shows("Editing: the new question takes the place"));
      QCOMPARE(program().chat()->draft(), QString("Question 0"));
      if (by_key) {
        screen_->press(Qt::Key_Escape);
      } else {
        QVERIFY(screen_->click("Cancel editing"));
      }
      QTRY_VERIFY(!program().chat()->editing());
      QCOMPARE(program().chat()->draft(), QString());
      QCOMPARE(program().chat()->messages()->count(), 2 * kQuestions);
      QTRY_VERIFY(screen_->find("Editing: the new question") == nullptr);
    }
  }

 private:
  static constexpr int kQuestions = 12;

  Program& program() { return screen_->program(); }
  QQuickItem* list() { return screen_->item("conversation"); }
  double y() { return list()->property("contentY").toDouble(); }

  void wheel(int delta) {
    const QPointF place = list()->mapToScene({list()->width() / 2, list()->height() / 2});
    QWheelEvent event(place, screen_->window().mapToGlobal(place), {}, {0, delta}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    constexpr int kApartMs = 50;
    event.setTimestamp(wheel_ms_ += kApartMs);
    QCoreApplication::sendEvent(&screen_->window(), &event);
  }

  // As an answer that grows.
  void add_text() {
    for (int i = 0; i < 8; ++i) program().chat()->messages()->last()->append("\n\nOne more paragraph.");
  }

  void show_conversation() {
    QList<MessageRecord> records;
    for (int i = 0; i < kQuestions; ++i) {
      records.append({.position = 2 * i, .role = "user", .text = QString("Question %1").arg(i)});
      records.append({.position = 2 * i + 1, .role = "assistant", .text = QString("Answer %1").arg(i)});
    }
    program().chat()->messages()->reset(records);
    QVERIFY(screen_->shows("Answer 11"));
  }

  quint64 wheel_ms_ = 1000;
  std::unique_ptr<ScreenDriver> screen_;
  std::optional<QmlWarnings> warnings_;
};

int main(int argc, char* argv[]) {
  qputenv("QT_QUICK_BACKEND", "software");
  QGuiApplication app(argc, argv);
  ConversationViewTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_conversation_view.moc"
