// Contrast of the program's colours, light and dark, as WCAG 2.1 reckons it: 4.5 : 1 for text, 3 : 1 for marks and the
// edges of controls.
#include <algorithm>
#include <cmath>
#include <memory>

#include <QColor>
#include <QQmlComponent>
#include <QQmlEngine>
#include <QTest>
#include <QtQml/qqmlextensionplugin.h>

Q_IMPORT_QML_PLUGIN(PopLensPlugin)
Q_IMPORT_QML_PLUGIN(PopLens_CorePlugin)

namespace {

double luminance(const QColor& color) {
  const auto linear = [](double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
  return (lighter + 0.05) / (darker + 0.05);
}

constexpr double kText = 4.5;
constexpr double kMark = 3.0;

}  // namespace

class ThemeTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    engine_.addImportPath(":/qt/qml");
    component_.setData("import QtQml; import PopLens; QtObject { property QtObject theme: Theme }", {});
    holder_.reset(component_.create());
    QVERIFY2(holder_ != nullptr, qPrintable(component_.errorString()));
    theme_ = holder_->property("theme").value<QObject*>();
    QVERIFY(theme_ != nullptr);
  }

  // WCAG's own examples: black on white, and the grey that just reaches 4.5.
  void formula() {
    QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
    QVERIFY(contrast("#767676", Qt::white) >= 4.5 && contrast("#777777", Qt::white) < 4.5);
  }

  void pairs_data() {
    QTest::addColumn<QString>("front");
    QTest::addColumn<QString>("back");
    QTest::addColumn<double>("least");
    const auto add = [](const char* front, const QStringList& backs, double least) {
      for (const QString& back : backs) {
        QTest::addRow("%s on %s", front, qPrintable(back)) << QString(front) << back << least;
      }
    };
    add("text", {"background", "surface", "sunken", "selection", "ownMessage", "line"}, kText);
    add("secondary", {"background", "surface", "sunken", "selection", "ownMessage"}, kText);
    add("accent", {"background", "surface", "ownMessage"}, kText);  // links and pressed words
    add("accentText", {"accent"}, kText);
    add("ok", {"surface"}, kText);
    add("warning", {"surface", "background"}, kText);
    add("error", {"background", "surface", "sunken"}, kText);
    add("edge", {"background", "surface"}, kMark);
    add("accent", {"edge"}, 1.5);  // the slider's two halves, which the knob parts besides
    // A stage's part lies on its bar's trough, and in the legend on a card or the page.
    for (const char* stage : {"secondary", "image", "vision", "prefill", "boundary", "firstToken", "decode"}) {
      add(stage, {"sunken", "surface", "background"}, kMark);
    }
    add("prefill", {"selection"}, kMark);  // under the mouse, in the chart
    add("decode", {"selection"}, kMark);
    for (const char* state : {"ok", "error", "warning", "secondary"}) add(state, {"surface"}, kMark);
  }
  void pairs() {
    QFETCH(QString, front);
    QFETCH(QString, back);
    QFETCH(double, least);
    for (const int scheme : {1, 2}) {
      theme_->setProperty("scheme", scheme);
      const auto a = theme_->property(qPrintable(front)).value<QColor>();
      const auto b = theme_->property(qPrintable(back)).value<QColor>();
      QVERIFY(a.isValid() && b.isValid());
      const double ratio = contrast(a, b);
      QVERIFY2(ratio >= least, qPrintable(QString("%1: %2 %3 on %4 %5 is %6 : 1")
                                              .arg(scheme == 1 ? "light" : "dark", front, a.name(), back, b.name())
                                              .arg(ratio, 0, 'f', 2)));
    }
  }

 private:
  QQmlEngine engine_;
  QQmlComponent component_{&engine_};
  std::unique_ptr<QObject> holder_;
  QObject* theme_ = nullptr;
};

QTEST_MAIN(ThemeTest)
#include "tst_theme.moc"
