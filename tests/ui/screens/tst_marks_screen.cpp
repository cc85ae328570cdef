// Boxes and points over pictures, conversations exported and the screen taken, as a person or a screen reader does.
#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>

#include "tests/ui/screens/qml_warnings.h"
#include "tests/ui/screens/screen_driver.h"
#include "ui/screens/mark_overlay.h"

using namespace poplens::ui;
using namespace poplens::test;

namespace {

constexpr auto kAnswer =
    "```json\n[{\"bbox_2d\": [250, 250, 750, 750], \"label\": \"red\"}, {\"point_2d\": [100, 100], \"label\": "
    "\"tip\"}]";

// All overlays that are in sight.
QList<MarkOverlay*> overlays_in(QQuickItem* item) {
  QList<MarkOverlay*> found;
  if (item == nullptr || !item->isVisible()) return found;
  if (auto* overlay = qobject_cast<MarkOverlay*>(item)) found.append(overlay);
  for (QQuickItem* child : item->childItems()) found += overlays_in(child);
  return found;
}

}  // namespace

class MarksScreenTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    warnings_.emplace();
    screen_ = std::make_unique<ScreenDriver>();
    QVERIFY(screen_->up());
    QTRY_COMPARE_WITH_TIMEOUT(program().engine()->state(), EngineState::Ready, kLongMs);
    program().settings()->setMaxTokens(8);
  }
  void cleanup() {
    screen_.reset();
    const QStringList warnings = warnings_->all();
    warnings_.reset();
    QCOMPARE(warnings, QStringList());
  }

  void marksStandOnTheThumbAndInTheViewer() {
    show_conversation();
    const QString name = "Picture white.png with 1 box and 1 point: red, tip";
    QTRY_VERIFY(screen_->find(name, QAccessible::Button) != nullptr);
    QTRY_COMPARE(overlays().size(), 1);
    QVERIFY(screen_->click(name));
    QTRY_VERIFY(screen_->find(name, QAccessible::Graphic) != nullptr);
    MarkOverlay* marks = nullptr;
    QTRY_VERIFY((marks = viewer_overlay()) != nullptr);
    // In the middle of the box's left edge.
    const auto edge = [&] {
      const QRectF picture = marks->pictureRect();
      return marks->mapToScene(picture.topLeft() + QPointF(picture.width() * 0.25, picture.height() * 0.5)).toPoint();
    };
    const auto is_marked = [&](QPoint place) {
      const QColor color = screen_->window().grabWindow().pixelColor(place);
      return color.blue() - color.red() > 60;
    };
    QTRY_VERIFY(is_marked(edge()));
    const QPoint before = edge();
    QCOMPARE(marks->markAt(marks->mapFromScene(QPointF(before))), 0);
    QCOMPARE(marks->markAt(marks->pictureRect().bottomRight()), -1);
    for (int i = 0; i < 6; ++i) screen_->press(Qt::Key_Plus);
    // Around the middle of the window, where the picture's middle stays.
    QCOMPARE(marks->pictureRect().center().toPoint(), marks->boundingRect().center().toPoint());
    QTRY_VERIFY((edge() - before).manhattanLength() > 20);
    QTRY_VERIFY(is_marked(edge()));
    QVERIFY(!is_marked(before));
    const QPoint zoomed = edge();
    for (int i = 0; i < 20; ++i) screen_->press(Qt::Key_Plus);
    for (int i = 0; i < 3; ++i) screen_->press(Qt::Key_Right);
    QTRY_VERIFY(edge() != zoomed);

    screen_->press(Qt::Key_M);
    QTRY_VERIFY(overlays().isEmpty());
    QVERIFY(!program().settings()->showMarks());
    QVERIFY(screen_->find("Picture white.png with", QAccessible::Graphic) == nullptr);
    screen_->press(Qt::Key_M);
    QTRY_VERIFY(viewer_overlay() != nullptr);
    QVERIFY(screen_->click("Close"));
    QTRY_COMPARE(overlays().size(), 1);
    QVERIFY(screen_->click("Hide marks"));
    QTRY_VERIFY(overlays().isEmpty());
  }

  void questionsPictureHasNoMarks() {
    show_conversation();
    QTRY_VERIFY(screen_->find("Picture white.png, show in full", QAccessible::Button) != nullptr);
    QVERIFY(screen_->click("Picture white.png, show in full"));
    QTRY_VERIFY(screen_->find("Picture white.png", QAccessible::Graphic) != nullptr);
    QVERIFY(viewer_overlay() == nullptr);
  }

  // The demo model, asked for boxes: whatever it finds, what it writes is read.
  void demoModelMarksWhatItFinds() {
    program().settings()->setMaxTokens(160);
    program().chat()->attachments()->addFiles({QUrl::fromLocalFile(ScreenDriver::source("assets/samples/shapes.png"))});
    QTRY_VERIFY_WITH_TIMEOUT(program().chat()->attachments()->ready(), kLongMs);
    ask("Give the box of the purple ring in json.");
    const ChatMessage* answer = program().chat()->messages()->last();
    QVERIFY2(!answer->markedPictures().isEmpty(), qPrintable(answer->text()));
    QTRY_VERIFY(screen_->find("Picture shapes.png with", QAccessible::Button) != nullptr);
    // And again when the conversation is read from the disk.
    const QString id = program().chat()->conversation();
    screen_->restart();
    QTRY_COMPARE(program().conversations()->count(), 1);
    program().chat()->open(id);
    QTRY_VERIFY(screen_->find("Picture shapes.png with", QAccessible::Button) != nullptr);
  }

  void exportsWithTheKeyboard() {
    ask("Hello: 1/2?");
    screen_->press(Qt::Key_E, Qt::ControlModifier);
    auto* dialog = screen_->window().findChild<QObject*>("exportDialog");
    QVERIFY(dialog != nullptr);
    QTRY_VERIFY(dialog->property("visible").toBool());
    QVERIFY(dialog->property("selectedFile").toUrl().toLocalFile().endsWith("/Hello 12.md"));
    QVERIFY(QMetaObject::invokeMethod(dialog, "close"));
    const QTemporaryDir folder;
    const QString file = folder.filePath("a.json");
    program().exporter()->exportTo(program().chat()->conversation(), QUrl::fromLocalFile(file));
    QTRY_VERIFY(screen_->shows("Exported to " + file));
    QVERIFY(program().noticeIsGood());
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(QJsonDocument::fromJson(written.readAll()).object()["title"].toString(), QString("Hello: 1/2?"));
    program().exporter()->exportTo(program().chat()->conversation(), QUrl::fromLocalFile("/proc/a.md"));
    QTRY_VERIFY(screen_->shows("The conversation was not exported. /proc/a.md"));
    QVERIFY(!program().noticeIsGood());
  }

  void exportsFromTheListsMenu() {
    ask("Hello");
    QTRY_VERIFY(screen_->find("Hello", QAccessible::ListItem) != nullptr);
    QAccessibleInterface* entry = screen_->wait_for("Hello", QAccessible::ListItem);
    QTest::mouseClick(&screen_->window(), Qt::RightButton, {}, screen_->window().mapFromGlobal(entry->rect().center()));
    QTRY_VERIFY(screen_->find("Export as Markdown", QAccessible::MenuItem) != nullptr);
    QTRY_VERIFY(screen_->window().activeFocusItem() != nullptr);
    screen_->press(Qt::Key_Down);
    screen_->press(Qt::Key_Down);
    screen_->press(Qt::Key_Return);
    auto* dialog = screen_->window().findChild<QObject*>("exportDialog");
    QTRY_VERIFY(dialog->property("visible").toBool());
    QCOMPARE(dialog->property("defaultSuffix").toString(), QString("json"));
    QVERIFY(QMetaObject::invokeMethod(dialog, "close"));
  }

  void runningConversationIsNotExported() {
    program().settings()->setMaxTokens(400);
    program().chat()->setDraft("Hello");
    program().chat()->send();
    program().exporter()->exportTo(program().chat()->conversation(), QUrl::fromLocalFile("/proc/a.md"));
    QVERIFY(screen_->shows("The conversation can be exported when its answer is complete."));
    program().chat()->stop();
    QTRY_VERIFY_WITH_TIMEOUT(!program().chat()->running(), kLongMs);
  }

  void takesTheScreenWithTheWindowHidden() {
    QSignalSpy closed(qApp, &QGuiApplication::lastWindowClosed);
    bool seen = true;
    screen_->grabber().answer.image = QImage(48, 32, QImage::Format_RGB32);
    screen_->grabber().answer.image.fill(Qt::cyan);
    screen_->grabber().at_grab = [&] { seen = screen_->window().isVisible(); };
    QVERIFY(screen_->click("Take a picture of the screen"));
    QTRY_COMPARE(program().chat()->attachments()->count(), 1);
    QVERIFY(!seen);
    QTRY_VERIFY(screen_->window().isVisible());
    QCOMPARE(closed.count(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(screen_->shows("48 × 32 →"), kLongMs);
    screen_->grabber().answer = {.reason = "This desktop lets no program take the screen."};
    screen_->press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(screen_->shows("This desktop lets no program take the screen."));
    QVERIFY(screen_->window().isVisible());
  }

 private:
  Program& program() { return screen_->program(); }

  QList<MarkOverlay*> overlays() {
    QList<MarkOverlay*> found;
    for (QQuickItem* child : screen_->window().contentItem()->childItems()) found += overlays_in(child);
    return found;
  }
  MarkOverlay* viewer_overlay() {
    for (MarkOverlay* overlay : overlays()) {
      if (overlay->objectName() == "viewerMarks") return overlay;
    }
    return nullptr;
  }

  void ask(const QString& text) {
    program().chat()->setDraft(text);
    program().chat()->send();
    QTRY_VERIFY_WITH_TIMEOUT(!program().chat()->running(), kLongMs);
  }

  // A question about a white picture, and an answer that was cut off.
  void show_conversation() {
    QImage image(200, 100, QImage::Format_RGB32);
    image.fill(Qt::white);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QVERIFY(buffer.open(QIODevice::WriteOnly) && image.save(&buffer, "PNG"));
    MessageRecord question{.role = "user", .text = "Where?"};
    SentPicture picture;
    picture.hash = *program().pictures().add(bytes);
    picture.name = "white.png";
    picture.size = image.size();
    question.pictures = {picture};
    const MessageRecord answer{.position = 1, .role = "assistant", .text = kAnswer, .state = MessageState::stopped};
    program().chat()->messages()->reset({question, answer});
  }

  std::unique_ptr<ScreenDriver> screen_;
  std::optional<QmlWarnings> warnings_;
};

int main(int argc, char* argv[]) {
  qputenv("QT_QUICK_BACKEND", "software");
  QGuiApplication app(argc, argv);
  MarksScreenTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_marks_screen.moc"
