// The stage bar as it grows from the engine's events, and as it stays afterwards.
#include <QAbstractItemModelTester>
#include <QLocale>
#include <QTest>

#include "ui/models/stage_bar_model.h"

using namespace poplens;
using namespace poplens::ui;

namespace {

QStringList names(const StageBarModel& bar) {
  QStringList list;
  for (int row = 0; row < bar.rowCount(); ++row)
    list.append(bar.data(bar.index(row), StageBarModel::NameRole).toString());
  return list;
}

double ms(const StageBarModel& bar, int row) {
  return bar.data(bar.index(row), StageBarModel::MsRole).toDouble();
}

}  // namespace

class StageBarTest : public QObject {
  Q_OBJECT

 private slots:
  void growsStageByStage() {
    StageBarModel bar;
    const QAbstractItemModelTester tester(&bar, QAbstractItemModelTester::FailureReportingMode::QtTest);
    bar.begin(0.0);
    QVERIFY(bar.running());
    QCOMPARE(names(bar), QStringList({"Waiting"}));
    bar.take({.what = StageStarted{Stage::image_decode}});
    bar.take({.what = StageFinished{Stage::image_decode, 20.0}});
    bar.take({.what = StageStarted{Stage::preprocess}});
    bar.take({.what = StageFinished{Stage::preprocess, 10.0}});
    bar.take({.what = StageStarted{Stage::prefill}});
    bar.take({.what = StageProgress{Stage::prefill, 3, 20}});
    QCOMPARE(names(bar), QStringList({"Waiting", "Decode + resize", "Prefill"}));
    QCOMPARE(ms(bar, 1), 30.0);
    QVERIFY2(bar.caption().startsWith("Prefill, layer 3 of 20 · "), qPrintable(bar.caption()));
  }

  // The beginning of a stage that was begun ahead is not seen; its progress is.
  void showsTheStagesOfWorkBegunAhead() {
    StageBarModel bar;
    const QAbstractItemModelTester tester(&bar, QAbstractItemModelTester::FailureReportingMode::QtTest);
    bar.begin(0.0);
    QVERIFY2(bar.caption().startsWith("Waiting · "), qPrintable(bar.caption()));
    QTest::qWait(2);
    bar.take_ahead({.what = StageProgress{Stage::vision, 4, 12}});
    QCOMPARE(names(bar), QStringList({"Waiting", "Vision encoder"}));
    QVERIFY2(bar.caption().startsWith("Vision encoder, layer 4 of 12 · "), qPrintable(bar.caption()));
    QCOMPARE(ms(bar, 0), 0.0);
    const double seen = ms(bar, 1);
    QVERIFY(seen >= 2.0);
    // Most of it was before the question was sent.
    bar.take_ahead({.what = StageFinished{Stage::vision, 60000.0}});
    const double encoded = ms(bar, 1);
    QVERIFY(encoded >= seen && encoded < 60000.0);
    bar.take_ahead({.what = StageStarted{Stage::prefill}});
    bar.take_ahead({.what = StageProgress{Stage::prefill, 2, 20}});
    QVERIFY2(bar.caption().startsWith("Prefill, layer 2 of 20 · "), qPrintable(bar.caption()));
    QTest::qWait(2);
    bar.take_ahead({.what = StageFinished{Stage::prefill, 60000.0}});
    const double prefilled = ms(bar, 2);
    QVERIFY(prefilled >= 2.0);
    // The answer's own part of the stage comes on top.
    bar.take({.what = StageStarted{Stage::prefill}});
    bar.take({.what = StageFinished{Stage::prefill, 500.0}});
    QCOMPARE(ms(bar, 1), encoded);
    QCOMPARE(ms(bar, 2), prefilled + 500.0);
  }

  void staysWithTheFiguresOfTheAnswer() {
    StageBarModel bar;
    bar.begin(0.0);
    bar.finish({.vision_ms = 300.0, .prefill_ms = 600.0, .first_token_ms = 20.0}, 80.0);
    QVERIFY(!bar.running());
    QCOMPARE(names(bar), QStringList({"Waiting", "Vision encoder", "Prefill", "First token"}));
    QCOMPARE(bar.fullMs(), 1000.0);
    bar.finish({.prefill_ms = 600.0}, 0.5);
    QCOMPARE(names(bar), QStringList({"Prefill"}));
  }
};

int main(int argc, char* argv[]) {
  QCoreApplication app(argc, argv);
  QLocale::setDefault(QLocale::c());
  StageBarTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_stage_bar.moc"
