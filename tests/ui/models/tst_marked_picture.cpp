// Which picture a mark belongs to, how marks are told in words, and their colours.
#include <cmath>

#include <QLocale>
#include <QSet>
#include <QTest>

#include "ui/models/marked_picture.h"

using namespace poplens::ui;

namespace {

SentPicture picture(const QString& name) {
  SentPicture value;
  value.hash = name;
  value.name = name;
  return value;
}

QString box(const QString& label, const QString& more = {}) {
  return QStringLiteral("{\"bbox_2d\": [1, 2, 3, 4], \"label\": \"%1\"%2}").arg(label, more);
}

// WCAG's contrast of a colour with white.
double contrast_with_white(const QColor& color) {
  const auto linear = [](double share) {
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  };
  const double luminance =
      0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
  return 1.05 / (luminance + 0.05);
}

}  // namespace

class MarkedPictureTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English)); }

  void belongsToThePictureThatIsNamed_data() {
    QTest::addColumn<QString>("named");
    QTest::addColumn<QString>("shown");
    QTest::newRow("nothing") << ""
                             << "last.png";
    QTest::newRow("number") << ", \"image\": 1"
                            << "first.png";
    QTest::newRow("second") << ", \"image\": \"Picture 2\""
                            << "2.png";
    QTest::newRow("name") << ", \"image\": \"First.PNG\""
                          << "first.png";
    QTest::newRow("a name that is a number") << ", \"image\": \"2.png\""
                                             << "2.png";
    QTest::newRow("too large") << ", \"image\": 4"
                               << "last.png";
    QTest::newRow("another name") << ", \"image\": \"1 of many\""
                                  << "last.png";
  }
  void belongsToThePictureThatIsNamed() {
    QFETCH(QString, named);
    QFETCH(QString, shown);
    const QList<MarkedPicture> marked =
        marked_pictures(box("a", named), {picture("first.png"), picture("2.png"), picture("last.png")});
    QCOMPARE(marked.size(), 1);
    QCOMPARE(marked[0].picture.name, shown);
  }

  void severalPictures() {
    const QList<MarkedPicture> marked =
        marked_pictures(box("a") + box("b", ", \"image\": 1") + box("c"), {picture("1"), picture("2"), picture("3")});
    QCOMPARE(marked.size(), 2);
    QCOMPARE(marked[0].picture.name, QString("1"));
    QCOMPARE(marked[0].marks.size(), 1);
    QCOMPARE(marked[1].picture.name, QString("3"));
    QCOMPARE(marked[1].marks.size(), 2);
  }

  void nothingToShow() {
    QVERIFY(marked_pictures(box("a"), {}).isEmpty());
    QVERIFY(marked_pictures("a ring", {picture("1")}).isEmpty());
  }

  void inWords() {
    const auto of = [](const QString& answer) { return marked_pictures(answer, {picture("1")})[0]; };
    QCOMPARE(of(box("ring")).description(), QString("1 box: ring"));
    QCOMPARE(of(box("ring") + box("")).description(), QString("2 boxes: ring, without a label"));
    const QString point = "{\"point_2d\": [1, 2], \"label\": \"tip %1\"}";
    QCOMPARE(of(point).count(), QString("1 point"));
    QCOMPARE(of(point + point + box("ring")).description(), QString("1 box and 2 points: tip %1, tip %1, ring"));
    const QString many = of(box("x").repeated(1500)).description();
    QVERIFY2(many.startsWith("1,500 boxes: x, x"), qPrintable(many));
    QVERIFY2(many.endsWith("and 1,488 more"), qPrintable(many));
  }

  void oneColourALabelAndWhiteReadsOnIt() {
    QList<PictureMark> marks;
    for (const char* label : {"a", "b", "a", "c", "d", "e", "f", "g", "h", "i"}) marks.append({.label = label});
    const QList<QColor> colors = mark_colors(marks);
    QCOMPARE(colors.size(), marks.size());
    QCOMPARE(colors[2], colors[0]);
    QSet<QRgb> different;
    for (const QColor& color : colors) {
      different.insert(color.rgb());
      QVERIFY2(contrast_with_white(color) >= 4.5, qPrintable(color.name()));
    }
    QCOMPARE(different.size(), 8);
  }
};

QTEST_GUILESS_MAIN(MarkedPictureTest)
#include "tst_marked_picture.moc"
