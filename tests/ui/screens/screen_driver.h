// The real window, off screen, driven as a person or a screen reader does: controls are found by their accessible
// names.
#pragma once

#include <memory>

#include <QAccessible>
#include <QDropEvent>
#include <QGuiApplication>
#include <QMimeData>
#include <QQmlApplicationEngine>
#include <QQuickItem>
#include <QQuickWindow>
#include <QTemporaryDir>
#include <QTest>
#include <QtQml/qqmlextensionplugin.h>

#include "tests/ui/models/fake_grabber.h"
#include "ui/models/program.h"
#include "ui/screens/picture_provider.h"

Q_IMPORT_QML_PLUGIN(PopLensPlugin)
Q_IMPORT_QML_PLUGIN(PopLens_CorePlugin)

namespace poplens::test {

constexpr int kLongMs = 120'000;
constexpr int kFindMs = 30'000;
constexpr int kStill = 3;  // looks at a control that has not moved

class ScreenDriver {
 public:
  ScreenDriver() {
    QAccessible::setActive(true);
    start();
  }
  ~ScreenDriver() { close(); }

  ui::Program& program() { return *program_; }
  QQuickWindow& window() { return *window_; }
  bool up() const { return window_ != nullptr; }
  // What there is to be seen when the screen is taken.
  FakeGrabber& grabber() { return *grabber_; }

  // Ends the program and begins it again on the same conversations.
  void restart() {
    close();
    start();
  }

  // The visible control with this name (or one that begins with it) and role; null if there is none.
  QAccessibleInterface* find(const QString& name, QAccessible::Role role = QAccessible::NoRole) {
    return find_below(QAccessible::queryAccessibleInterface(window_), name, role);
  }
  // By its object name.
  QQuickItem* item(const QString& name) { return item_below(window_->contentItem(), name); }

  // As `find`, for what is about to come: a list makes its rows, and a dialog its buttons, a while after what they show
  // has changed.
  QAccessibleInterface* wait_for(const QString& name, QAccessible::Role role = QAccessible::NoRole) {
    QAccessibleInterface* control = nullptr;
    (void)QTest::qWaitFor([&] { return (control = find(name, role)) != nullptr; }, kFindMs);
    return control;
  }
  bool shows(const QString& name) { return wait_for(name) != nullptr; }

  bool click(const QString& name, QAccessible::Role role = QAccessible::Button) {
    QAccessibleInterface* control = nullptr;
    QRect place;
    int looks = 0;
    // Where it stays: what has just come is put into its place with the next frame.
    const auto there = [&] {
      control = find(name, role);
      if (control == nullptr || control->state().disabled) return false;
      looks = control->rect() == place ? looks + 1 : 0;
      place = control->rect();
      return looks >= kStill;
    };
    if (!QTest::qWaitFor(there, kFindMs)) return false;
    QTest::mouseClick(window_, Qt::LeftButton, {}, window_->mapFromGlobal(control->rect().center()));
    return true;
  }
  void type(const QString& text) {
    for (const QChar c : text) QTest::sendKeyEvent(QTest::Click, window_, Qt::Key_unknown, QString(c), Qt::NoModifier);
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(window_, key, modifiers); }

  // Drops files in the middle of the window.
  void drop(const QStringList& files) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& file : files) urls.append(QUrl::fromLocalFile(file));
    data.setUrls(urls);
    const QPoint place(window_->width() / 2, window_->height() / 2);
    QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(window_, &enter);
    QDropEvent event(place, Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(window_, &event);
  }

  static QString source(const QString& path) { return QString(POPLENS_SOURCE_DIR) + "/" + path; }

 private:
  static QAccessibleInterface* find_below(QAccessibleInterface* parent, const QString& name, QAccessible::Role role) {
    for (int i = 0; parent != nullptr && i < parent->childCount(); ++i) {
      QAccessibleInterface* child = parent->child(i);
      if (child == nullptr || child->state().invisible) continue;
      if ((role == QAccessible::NoRole || child->role() == role) && child->text(QAccessible::Name).startsWith(name)) {
        return child;
      }
      if (QAccessibleInterface* found = find_below(child, name, role)) return found;
    }
    return nullptr;
  }

  static QQuickItem* item_below(QQuickItem* parent, const QString& name) {
    for (QQuickItem* child : parent->childItems()) {
      if (child->objectName() == name) return child;
      if (QQuickItem* found = item_below(child, name)) return found;
    }
    return nullptr;
  }

  void start() {
    program_ = std::make_unique<ui::Program>(ui::ProgramOptions{
        .data_folder = folder_.path(), .default_model = source("assets/models/demo-qwen3-vl"), .grabber = grabber_});
    engine_ = std::make_unique<QQmlApplicationEngine>();
    engine_->addImportPath(":/qt/qml");
    engine_->addImageProvider("pictures", new ui::PictureProvider(program_->pictures()));
    engine_->setInitialProperties({{"program", QVariant::fromValue(program_.get())}});
    engine_->load(QUrl("qrc:/qt/qml/PopLens/Main.qml"));
    if (engine_->rootObjects().isEmpty()) return;
    window_ = qobject_cast<QQuickWindow*>(engine_->rootObjects().first());
    program_->start();
    window_->requestActivate();
    (void)QTest::qWaitForWindowExposed(window_);
  }

  void close() {
    window_ = nullptr;
    engine_.reset();
    program_.reset();
  }

  QTemporaryDir folder_;
  std::shared_ptr<FakeGrabber> grabber_ = std::make_shared<FakeGrabber>();
  std::unique_ptr<ui::Program> program_;
  std::unique_ptr<QQmlApplicationEngine> engine_;
  QQuickWindow* window_ = nullptr;
};

}  // namespace poplens::test
