// The panel behind the screen: importances that are measured on the open conversation, and choices that belong to a
// model.
#include <memory>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "engine/pop/profile.h"
#include "ui/models/program.h"

using namespace poplens;
using namespace poplens::ui;

namespace {

const QString kSource = POPLENS_SOURCE_DIR;
const QString kModel = kSource + "/assets/models/demo-qwen3-vl";
const QString kTextModel = kSource + "/tests/data/llama/tiny-tied";
constexpr int kLongMs = 60'000;

}  // namespace

class PopChoicesTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    start();
  }
  void cleanup() { program_.reset(); }

  // Every answer is a sample, whose rises are measured too, and the result is kept for this model.
  void measuresOnThisConversation() {
    ask_about_a_picture();
    ask("What can you do?");
    QSignalSpy progress(pop(), &PopPanel::measuringChanged);
    chat()->measureImportances();
    QVERIFY(pop()->measuring());
    QTRY_VERIFY_WITH_TIMEOUT(!pop()->measuring(), kLongMs);
    QCOMPARE(pop()->measureError(), QString());
    QVERIFY(progress.count() >= 2);
    QCOMPARE(pop()->importances()->samples(), 2);
    QVERIFY(pop()->riseMeasured());
    const auto kept = read_profile(kept_at().toStdString());
    QVERIFY2(kept.ok(), kept.ok() ? "" : kept.error().message.c_str());
    QCOMPARE(kept->labels, std::string("data"));
    for (const GateStage stage : {GateStage::prefill, GateStage::prefill_text}) {
      const std::vector<double>& rises = kept->stage(stage).suffix_rises;
      QCOMPARE(static_cast<int>(rises.size()), pop()->layers());
      // Nobody reads what the last layer puts out at prefill positions.
      QCOMPARE(rises.front(), 0.0);
      QVERIFY(rises.back() != 0.0);
    }
    program_.reset();
    start();
    QTRY_COMPARE(pop()->importances()->samples(), 2);
  }

  void aMeasurementIsStopped() {
    ask_about_a_picture();
    const int samples = pop()->importances()->samples();
    chat()->measureImportances();
    pop()->stopMeasuring();
    QTRY_VERIFY_WITH_TIMEOUT(!pop()->measuring(), kLongMs);
    QCOMPARE(pop()->measureError(), QString());
    QCOMPARE(pop()->importances()->samples(), samples);
    QVERIFY(!QFile::exists(kept_at()));
  }

  void nothingToMeasureOnIsSaid() {
    chat()->measureImportances();
    QTRY_VERIFY_WITH_TIMEOUT(!pop()->measuring(), kLongMs);
    QVERIFY(!pop()->measureError().isEmpty());
  }

  // A picture that was asked about before stands before the next question too.
  void aPictureOfTheConversationCounts() {
    ImportanceProfile profile{.samples = 1};
    for (StageImportance& stage : profile.stages) {
      stage.layers.resize(static_cast<size_t>(pop()->layers()));
      stage.fisher_matrix.assign(stage.layers.size() * stage.layers.size(), 0.0);
      stage.suffix_rises.assign(stage.layers.size(), 1.0);
    }
    profile.stages[static_cast<size_t>(GateStage::prefill_text)].suffix_rises.assign(
        static_cast<size_t>(pop()->layers()), 2.0);
    pop()->importances()->set(profile);
    pop()->setOn(true);
    pop()->setDepth(1);
    QCOMPARE(pop()->expectedRise(), 1.0);
    ask_about_a_picture();
    QCOMPARE(chat()->attachments()->count(), 0);
    QCOMPARE(pop()->expectedRise(), 2.0);
    chat()->begin();
    QCOMPARE(pop()->expectedRise(), 1.0);
  }

  // While a model loads nobody knows its layers: what the slider says then is not taken for a choice.
  void aDepthBelongsToItsModel() {
    pop()->setDepth(5);
    QSignalSpy layers(pop(), &PopPanel::layersChanged);
    program_->engine()->choose({.folder = kTextModel});
    QVERIFY(!layers.isEmpty());
    QCOMPARE(pop()->layers(), 0);
    pop()->setDepth(0);
    pop()->setDepth(3);
    QCOMPARE(program_->settings()->pop_depth(kTextModel), -1);
    program_->engine()->load();
    QTRY_COMPARE_WITH_TIMEOUT(program_->engine()->state(), EngineState::Ready, kLongMs);
    QCOMPARE(pop()->depth(), pop()->layers() / 3);
    program_->engine()->choose({.folder = kModel});
    program_->engine()->load();
    QTRY_COMPARE_WITH_TIMEOUT(program_->engine()->state(), EngineState::Ready, kLongMs);
    QCOMPARE(pop()->depth(), 5);
  }

  void anImpossibleRiseIsTheUsualOne_data() {
    QTest::addColumn<double>("kept");
    QTest::newRow("negative") << -3.0;
    QTest::newRow("endless") << std::numeric_limits<double>::infinity();
    QTest::newRow("no number") << std::numeric_limits<double>::quiet_NaN();
    QTest::newRow("beyond the field") << 1e300;
  }
  void anImpossibleRiseIsTheUsualOne() {
    QFETCH(const double, kept);
    pop()->setMostRise(kept);
    QVERIFY(pop()->mostRise() >= 0.0 && pop()->mostRise() <= 1000.0);
  }

 private:
  void start() {
    program_ = std::make_unique<Program>(ProgramOptions{.data_folder = folder_->path(), .default_model = kModel});
    program_->start();
    QTRY_COMPARE_WITH_TIMEOUT(program_->engine()->state(), EngineState::Ready, kLongMs);
    program_->settings()->setMaxTokens(8);
  }
  Chat* chat() { return program_->chat(); }
  PopPanel* pop() { return program_->pop(); }
  QString kept_at() { return pop()->importances()->kept_at(kModel); }
  void ask(const QString& text) {
    chat()->setDraft(text);
    QTRY_VERIFY_WITH_TIMEOUT(chat()->canSend(), kLongMs);
    chat()->send();
    QTRY_VERIFY_WITH_TIMEOUT(!chat()->running(), kLongMs);
  }
  void ask_about_a_picture() {
    chat()->attachments()->addFiles({QUrl::fromLocalFile(kSource + "/assets/samples/shapes.png")});
    ask("The ring has which color?");
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Program> program_;
};

QTEST_MAIN(PopChoicesTest)
#include "tst_pop_choices.moc"
