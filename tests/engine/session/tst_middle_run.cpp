// Figures of several runs.
#include <QTest>

#include "engine/session/comparison.h"

using namespace poplens;

namespace {

ComparedRun run_of(double vision_ms, double prefill_ms, double first_token_ms) {
  StageTimes stages;
  stages.vision_ms = vision_ms;
  stages.prefill_ms = prefill_ms;
  stages.first_token_ms = first_token_ms;
  return {.ttft_ms = vision_ms + prefill_ms + first_token_ms, .stages = stages};
}

double sum(const StageTimes& stages) {
  return stages.image_decode_ms + stages.preprocess_ms + stages.vision_ms + stages.prefill_ms + stages.boundary_ms +
         stages.first_token_ms;
}

}  // namespace

class MiddleRunTest : public QObject {
  Q_OBJECT

 private slots:
  // 40, 50 and 60 ms in total; the medians of the single stages would be 20 + 20 + 5 = 45.
  void stagesAreThoseOfTheTimeBesideThem() {
    const ComparedRun middle = middle_run({run_of(35.0, 20.0, 5.0), run_of(15.0, 5.0, 20.0), run_of(20.0, 28.0, 2.0)});
    QCOMPARE(middle.ttft_ms, 50.0);
    QCOMPARE(middle.stages.vision_ms, 20.0);
    QCOMPARE(middle.stages.prefill_ms, 28.0);
    QCOMPARE(middle.stages.first_token_ms, 2.0);
  }

  void betweenTwoRunsIsTheirMean() {
    const ComparedRun middle =
        middle_run({run_of(1.0, 1.0, 1.0), run_of(10.0, 20.0, 2.0), run_of(90.0, 90.0, 90.0), run_of(20.0, 8.0, 4.0)});
    QCOMPARE(middle.ttft_ms, 32.0);
    QCOMPARE(middle.stages.vision_ms, 15.0);
    QCOMPARE(middle.stages.prefill_ms, 14.0);
    QCOMPARE(sum(middle.stages), middle.ttft_ms);
  }

  void oneRunOrNone() {
    QCOMPARE(middle_run({run_of(1.0, 2.0, 3.0)}).ttft_ms, 6.0);
    QCOMPARE(middle_run({}).ttft_ms, 0.0);
  }
};

QTEST_APPLESS_MAIN(MiddleRunTest)
#include "tst_middle_run.moc"
