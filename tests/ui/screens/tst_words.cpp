// Text painted at another scale than the window's, as an exported picture has it: no letter is cut off.
#include <QQmlComponent>
#include <QQmlEngine>
#include <QQuickItem>
#include <QQuickItemGrabResult>
#include <QQuickWindow>
#include <QTest>
#include <QtQml/qqmlextensionplugin.h>

Q_IMPORT_QML_PLUGIN(PopLensPlugin)
Q_IMPORT_QML_PLUGIN(PopLens_CorePlugin)

class WordsTest : public QObject {
  Q_OBJECT

 private slots:
  void capitalsAreWholeAtTwiceTheSize_data() {
    QTest::addColumn<int>("size");
    for (const int size : {12, 13, 14, 15, 26}) QTest::addRow("%d", size) << size;
  }
  // Beside a letter that is taller, "POP" cannot be cut: alone it must look the same.
  void capitalsAreWholeAtTwiceTheSize() {
    QFETCH(int, size);
    for (const bool strong : {false, true}) {
      const QImage alone = painted("POP", size, strong);
      const QImage beside = painted("POP                |lj", size, strong);
      QVERIFY(!alone.isNull());
      QCOMPARE(alone, beside);
    }
  }

 private:
  QImage painted(const QString& text, int size, bool strong) {
    QQmlEngine engine;
    engine.addImportPath(":/qt/qml");
    QQmlComponent component(&engine);
    component.setData(
        QString("import QtQuick\nimport PopLens\nRectangle { width: 200; height: 60; color: \"white\"\n"
                "Words { x: 8; y: 12; text: \"%1\"; font.pixelSize: %2; strong: %3; elide: Text.ElideNone } }")
            .arg(text)
            .arg(size)
            .arg(strong ? "true" : "false")
            .toUtf8(),
        {});
    std::unique_ptr<QQuickItem> page(qobject_cast<QQuickItem*>(component.create()));
    if (page == nullptr) return {};
    QQuickWindow window;
    window.resize(200, 60);
    page->setParentItem(window.contentItem());
    window.show();
    if (!QTest::qWaitForWindowExposed(&window)) return {};
    const QSharedPointer<QQuickItemGrabResult> grab = page->grabToImage(QSize(400, 120));
    if (!QTest::qWaitFor([&] { return !grab->image().isNull(); }, 20'000)) return {};
    // The word's own place: its letters, and nothing of what stands beside them.
    return grab->image().copy(16, 0, size * 4, 120);
  }
};

int main(int argc, char* argv[]) {
  qputenv("QT_QUICK_BACKEND", "software");
  QGuiApplication app(argc, argv);
  WordsTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_words.moc"
