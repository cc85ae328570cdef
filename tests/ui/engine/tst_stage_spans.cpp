// What of work begun ahead lies before and after the moment of sending.
#include <chrono>

#include <QTest>

#include "ui/engine/stage_spans.h"

using namespace poplens;
using namespace poplens::ui;
using namespace std::chrono_literals;

namespace {

const StageSpans::Moment kBegan{1h};

// Two pictures, one after the other, and the prefill of both with its boundary. The clock of the request stands at 5 ms
// when the first stage starts.
StageSpans two_pictures() {
  StageSpans spans(kBegan);
  spans.take({5.0, StageStarted{Stage::image_decode, 0, 2}});
  spans.take({15.0, StageFinished{Stage::image_decode, 10.0}});
  spans.take({15.0, StageStarted{Stage::preprocess, 0, 2}});
  spans.take({20.0, StageFinished{Stage::preprocess, 5.0}});
  spans.take({20.0, StageStarted{Stage::vision, 0, 2}});
  spans.take({60.0, StageProgress{Stage::vision, 1, 2}});
  spans.take({100.0, StageFinished{Stage::vision, 80.0}});
  spans.take({100.0, StageStarted{Stage::image_decode, 1, 2}});
  spans.take({110.0, StageFinished{Stage::image_decode, 20.0}});
  spans.take({110.0, StageStarted{Stage::vision, 1, 2}});
  spans.take({150.0, StageFinished{Stage::vision, 120.0}});
  spans.take({150.0, StageStarted{Stage::prefill}});
  spans.take({400.0, StageStarted{Stage::boundary}});
  spans.take({410.0, StageFinished{Stage::prefill, 250.0}});
  spans.take({410.0, StageFinished{Stage::boundary, 10.0}});
  return spans;
}

void compare(const StageTimes& times, const StageTimes& expected) {
  QCOMPARE(times.image_decode_ms, expected.image_decode_ms);
  QCOMPARE(times.preprocess_ms, expected.preprocess_ms);
  QCOMPARE(times.vision_ms, expected.vision_ms);
  QCOMPARE(times.prefill_ms, expected.prefill_ms);
  QCOMPARE(times.boundary_ms, expected.boundary_ms);
  QCOMPARE(times.first_token_ms, expected.first_token_ms);
}

}  // namespace

class StageSpansTest : public QObject {
  Q_OBJECT

 private slots:
  void aMomentWithinTheFirstPicture() {
    const StageSpans spans = two_pictures();
    const StageSpans::Moment sent = kBegan + 70ms;
    compare(spans.before(sent), {.image_decode_ms = 10, .preprocess_ms = 5, .vision_ms = 50});
    compare(spans.after(sent), {.image_decode_ms = 10, .vision_ms = 70, .prefill_ms = 250, .boundary_ms = 10});
  }

  void aMomentBeforeOrAfterAll() {
    const StageSpans spans = two_pictures();
    const StageTimes all{
        .image_decode_ms = 20, .preprocess_ms = 5, .vision_ms = 120, .prefill_ms = 250, .boundary_ms = 10};
    compare(spans.before(kBegan - 1s), {});
    compare(spans.after(kBegan - 1s), all);
    compare(spans.before(kBegan + 1s), all);
    compare(spans.after(kBegan + 1s), {});
  }

  void noWorkIsNoTime() {
    compare(StageSpans().before(kBegan), {});
    compare(StageSpans().after(kBegan), {});
  }

  void sumsStageByStage() {
    compare(StageTimes{1, 2, 3, 4, 5, 6} + StageTimes{10, 20, 30, 40, 50, 60}, {11, 22, 33, 44, 55, 66});
  }
};

QTEST_APPLESS_MAIN(StageSpansTest)

#include "tst_stage_spans.moc"
