// Labels stay inside, apart and by their marks; where there is no room there is no label.
#include <random>

#include <QTest>

#include "ui/grounding/label_places.h"

using namespace poplens::ui;

class LabelPlacesTest : public QObject {
  Q_OBJECT

 private slots:
  void aboveItsBoxWhereThereIsRoom() {
    const QList<QRectF> places = place_labels({{QRectF(50, 60, 40, 30), QSizeF(30, 10), 2}}, kBounds);
    QCOMPARE(places[0], QRectF(50, 48, 30, 10));
  }

  void belowAtTheTopEdge() {
    const QList<QRectF> places = place_labels({{QRectF(50, 5, 40, 30), QSizeF(30, 10), 2}}, kBounds);
    QCOMPARE(places[0], QRectF(50, 37, 30, 10));
  }

  void insideABoxAsLargeAsThePicture() {
    const QList<QRectF> places = place_labels({{kBounds, QSizeF(30, 10), 2}}, kBounds);
    QCOMPARE(places[0], QRectF(2, 2, 30, 10));
  }

  void movedInAtTheRightEdge() {
    const QList<QRectF> places = place_labels({{QRectF(190, 60, 10, 10), QSizeF(30, 10), 2}}, kBounds);
    QCOMPARE(places[0], QRectF(170, 48, 30, 10));
  }

  void besideAPoint() {
    const QList<QRectF> places = place_labels({{QRectF(50, 60, 0, 0), QSizeF(30, 10), 6}}, kBounds);
    QCOMPARE(places[0], QRectF(56, 55, 30, 10));
    const QList<QRectF> at_edge = place_labels({{QRectF(195, 60, 0, 0), QSizeF(30, 10), 6}}, kBounds);
    QVERIFY(kBounds.contains(at_edge[0]));
  }

  void sameBoxTwice() {
    const LabelWish wish{QRectF(50, 60, 40, 30), QSizeF(30, 10), 2};
    const QList<QRectF> places = place_labels({wish, wish}, kBounds);
    QVERIFY(!places[0].isEmpty() && !places[1].isEmpty());
    QVERIFY(!places[0].intersects(places[1]));
  }

  // Zoomed in: the box is larger than the view, or lies outside it.
  void marksBeyondTheView() {
    const QList<QRectF> places = place_labels({{QRectF(-500, -500, 2000, 2000), QSizeF(30, 10), 2},
                                               {QRectF(300, 10, 20, 20), QSizeF(30, 10), 2},
                                               {QRectF(50, -40, 0, 0), QSizeF(30, 10), 2}},
                                              kBounds);
    QVERIFY(kBounds.contains(places[0]));
    QVERIFY(places[1].isEmpty());
    QVERIFY(places[2].isEmpty());
  }

  void noRoom() {
    QVERIFY(place_labels({{QRectF(50, 60, 40, 30), QSizeF(300, 10), 2}}, kBounds)[0].isEmpty());
    QVERIFY(place_labels({{QRectF(50, 60, 40, 30), QSizeF(30, 10), 2}}, QRectF())[0].isEmpty());
    QVERIFY(place_labels({{QRectF(50, 60, 40, 30), QSizeF(), 2}}, kBounds)[0].isEmpty());
    QVERIFY(place_labels({}, kBounds).isEmpty());
  }

  void thousandsStayInsideAndApart() {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> share(-0.2, 1.2);
    QList<LabelWish> wishes;
    for (int i = 0; i < 4000; ++i) {
      const QRectF mark(QPointF(share(random) * 200, share(random) * 100), QSizeF(i % 3 * 8.0, i % 3 * 5.0));
      wishes.append({mark, QSizeF(8 + i % 5, 4), 1});
    }
    QList<QRectF> placed;
    for (const QRectF& place : place_labels(wishes, kBounds)) {
      if (place.isEmpty()) continue;
      QVERIFY(kBounds.contains(place));
      for (const QRectF& other : placed) QVERIFY(!other.intersects(place));
      placed.append(place);
    }
    QVERIFY2(placed.size() > 100, qPrintable(QString::number(placed.size())));
  }

 private:
  const QRectF kBounds{0, 0, 200, 100};
};

QTEST_GUILESS_MAIN(LabelPlacesTest)
#include "tst_label_places.moc"
