// The chart's model: roles, and that it shows nothing that was measured of other weights.
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "ui/models/importance_model.h"

using namespace poplens;
using namespace poplens::ui;

namespace {

ImportanceProfile profile_of(const std::string& weights) {
  ImportanceProfile profile{.model = {.family = "qwen3_vl", .layers = 2, .weights = weights}, .samples = 3};
  for (StageImportance& stage : profile.stages) {
    stage.layers = {{.gradient = -2.0, .fisher = 1.0}, {.gradient = -0.5, .fisher = 0.5}};
    stage.fisher_matrix = {1.0, 0.25, 0.25, 0.5};
  }
  return profile;
}

}  // namespace

class ImportanceModelTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

 private slots:
  void shows_a_profile() {
    ImportanceModel model(folder_.path());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.set(profile_of("a"));
    QCOMPARE(model.count(), 2);
    QCOMPARE(model.samples(), 3);
    QCOMPARE(model.expected_rise(1), 0.75);
    QCOMPARE(model.expected_rise(2), 3.5);
    // Nobody has measured what pruning costs.
    QVERIFY(!model.rises_measured());
    QCOMPARE(model.deepest_within(1.0), 0);
  }

  void what_was_measured_goes_before_what_is_expected() {
    ImportanceProfile profile = profile_of("a");
    profile.stages[static_cast<size_t>(GateStage::prefill)].suffix_rises = {0.0, 0.5};
    profile.stages[static_cast<size_t>(GateStage::prefill_text)].suffix_rises = {0.0, 4.0};
    ImportanceModel model(folder_.path());
    model.set(profile);
    QVERIFY(model.rises_measured());
    QCOMPARE(model.expected_rise(0), 0.0);
    QCOMPARE(model.expected_rise(2), 4.0);
    QCOMPARE(model.expected_rise(9), 4.0);
    QCOMPARE(model.deepest_within(3.9), 1);
    QCOMPARE(model.deepest_within(4.1), 2);
    model.setTextInFull(false);
    QCOMPARE(model.expected_rise(2), 0.5);
    QCOMPARE(model.deepest_within(3.9), 2);
  }

  void keeps_what_belongs_to_the_loaded_model() {
    ImportanceModel model(folder_.path());
    model.set(profile_of("a"));
    model.loaded(profile_of("a").model);
    QCOMPARE(model.count(), 2);
    QVERIFY(model.error().isEmpty());
  }

  void puts_aside_what_belongs_to_other_weights() {
    ImportanceModel model(folder_.path());
    model.set(profile_of("a"));
    QSignalSpy changed(&model, &ImportanceModel::changed);
    model.loaded(profile_of("b").model);
    QCOMPARE(model.count(), 0);
    QVERIFY(!model.error().isEmpty());
    QVERIFY(!changed.isEmpty());
  }
};

QTEST_GUILESS_MAIN(ImportanceModelTest)
#include "tst_importance_model.moc"
