// Auto's choice from a profile made by hand.
#include <cmath>

#include <QtTest>

#include "engine/pop/auto_plan.h"

using namespace poplens;

namespace {

// Three layers; with gradients g and F the matrix of their products, the last k cost -sum g + sum F / 2.
StageImportance stage_by_hand() {
  StageImportance stage;
  for (const double gradient : {-3.0, -0.5, 0.2}) stage.layers.push_back({.gradient = gradient});
  stage.fisher_matrix = {10.0, 1.0, 0.0, 1.0, 2.0, -0.4, 0.0, -0.4, 0.8};
  return stage;
}

}  // namespace

class AutoPlanTest : public QObject {
  Q_OBJECT

 private slots:
  void rises_of_suffixes() {
    const std::vector<double> rises = predicted_suffix_rises(stage_by_hand());
    const double one = -0.2 + 0.8 / 2;
    const double two = one + 0.5 + 2.0 / 2 - 0.4;
    const double three = two + 3.0 + 10.0 / 2 + 1.0;
    QCOMPARE(rises.size(), 3u);
    QVERIFY(std::abs(rises[0] - one) < 1e-12 && std::abs(rises[1] - two) < 1e-12 && std::abs(rises[2] - three) < 1e-12);
  }

  void the_deepest_within_the_bound() {
    StageImportance stage = stage_by_hand();
    stage.suffix_rises = {0.0, 0.0, 0.0};
    QCOMPARE(deepest_within(stage, 0.1).depth, 0);
    QCOMPARE(deepest_within(stage, 0.3).depth, 1);
    QCOMPARE(deepest_within(stage, 2.0).depth, 2);
    QCOMPARE(deepest_within(stage, 100.0).depth, 3);
  }

  void what_was_measured_counts_too() {
    StageImportance stage = stage_by_hand();
    stage.suffix_rises = {0.1, 2.5, 5.0};
    QCOMPARE(deepest_within(stage, 2.0).depth, 1);
    QCOMPARE(deepest_within(stage, 2.0).measured_rise, 0.1);
    QCOMPARE(deepest_within(stage, 3.0).depth, 2);
  }

  void what_nobody_measured_is_not_offered() { QCOMPARE(deepest_within(stage_by_hand(), 100.0).depth, 0); }

  void a_dear_layer_is_not_passed_over() {
    StageImportance stage = stage_by_hand();
    stage.suffix_rises = {3.0, 0.1, 0.1};
    QCOMPARE(deepest_within(stage, 2.0).depth, 0);
  }

  void boundaries() {
    QVERIFY(prefill_stage_for({Boundary::Kind::text, 1}, true) == GateStage::prefill_text);
    QVERIFY(prefill_stage_for({Boundary::Kind::text, 1}, false) == GateStage::prefill);
    QVERIFY(prefill_stage_for({Boundary::Kind::last, 1}, true) == GateStage::prefill);
    QVERIFY(prefill_stage_for({Boundary::Kind::count, 9}, true) == GateStage::prefill);
  }
};

QTEST_APPLESS_MAIN(AutoPlanTest)
#include "tst_auto_plan.moc"
