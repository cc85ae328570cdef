// A comparison without a window: the same question with the full model and with POP, a sweep, exports.
#include <QAbstractItemModelTester>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "ui/models/program.h"

using namespace poplens::ui;

namespace {

const QString kModel = QString(POPLENS_SOURCE_DIR) + "/assets/models/demo-qwen3-vl";
const QString kPicture = QString(POPLENS_SOURCE_DIR) + "/assets/samples/shapes.png";
constexpr int kLongMs = 60'000;

}  // namespace

class CompareTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    program_ = std::make_unique<Program>(ProgramOptions{.data_folder = folder_->path(), .default_model = kModel});
    sweep_tester_ = std::make_unique<QAbstractItemModelTester>(compare()->sweep(),
                                                               QAbstractItemModelTester::FailureReportingMode::QtTest);
    program_->start();
    QTRY_COMPARE_WITH_TIMEOUT(program_->engine()->state(), EngineState::Ready, kLongMs);
    program_->settings()->setMaxTokens(12);
    compare()->setRuns(2);
  }
  void cleanup() {
    sweep_tester_.reset();
    program_.reset();
  }

  void hasNothingToCompareAtFirst() {
    compare()->openCurrent();
    QVERIFY(!compare()->hasQuestion());
    compare()->start();
    QVERIFY(!compare()->running());
    compare()->sweep()->start();
    QVERIFY(!compare()->sweep()->running());
  }

  void comparesWhatIsInTheComposer() {
    write_question();
    compare()->openCurrent();
    QCOMPARE(compare()->question(), QString("The ring has which color?"));
    QCOMPARE(compare()->pictures().size(), 1);
    run();
    QVERIFY2(compare()->error().isEmpty(), qPrintable(compare()->error()));
    QVERIFY(compare()->done());
    const AnswerFigures full = compare()->full()->figures();
    const AnswerFigures pop = compare()->pop()->figures();
    QCOMPARE(full.prunedLayers, 0);
    QCOMPARE(pop.prunedLayers, full.layers / 3);
    for (const AnswerFigures& figures : {full, pop}) {
      QVERIFY(figures.stages.vision_ms > 0.0);
      QVERIFY(figures.stages.prefill_ms > 0.0);
      QCOMPARE(figures.reusedTokens, 0);
      QCOMPARE(figures.reusedPictures, 0);
    }
    QVERIFY(full.stages.boundary_ms == 0.0);
    QCOMPARE(compare()->scaleMs(), std::max(full.ttftMs, pop.ttftMs));
    QVERIFY(compare()->ttftRatio() > 0.0 && compare()->prefillRatio() > 0.0 && compare()->kl() >= 0.0);
    QVERIFY2(compare()->method().contains("nothing from a cache"), qPrintable(compare()->method()));
    QCOMPARE(compare()->same(), compare()->full()->text() == compare()->pop()->text());
    QVERIFY(compare()->same() || compare()->sameTokens() <= full.answerTokens);
  }

  // Eager prefill and an answer before leave caches behind; a comparison looks at neither.
  void takesNothingFromWhatTheChatHasDone() {
    attach();
    QTRY_VERIFY_WITH_TIMEOUT(chat()->ahead()->done(), kLongMs);
    chat()->setDraft("The ring has which color?");
    chat()->send();
    QTRY_VERIFY_WITH_TIMEOUT(!chat()->running(), kLongMs);
    compare()->openAnswer(1);
    run();
    QCOMPARE(compare()->full()->text(), chat()->messages()->last()->text());
    QVERIFY(compare()->full()->figures().stages.vision_ms > 0.0);
    QCOMPARE(compare()->full()->figures().reusedTokens, 0);

    compare()->setShareFeatures(true);
    run();
    QCOMPARE(compare()->full()->figures().stages.vision_ms, 0.0);
    QCOMPARE(compare()->full()->figures().reusedTokens, 0);
    QVERIFY2(compare()->method().contains("shared"), qPrintable(compare()->method()));
  }

  void goesByThePanelsPlan() {
    program_->pop()->setOn(true);
    program_->pop()->setDepth(18);
    QCOMPARE(compare()->depth(), 18);
    write_question();
    compare()->openCurrent();
    run();
    QCOMPARE(compare()->pop()->figures().prunedLayers, 18);
    if (compare()->full()->text() != compare()->pop()->text()) {
      QVERIFY(compare()->pop()->markEnd() > compare()->pop()->markBegin() ||
              compare()->full()->markEnd() > compare()->full()->markBegin());
    }
  }

  void stops() {
    write_question();
    compare()->openCurrent();
    compare()->start();
    QVERIFY(compare()->running());
    compare()->stop();
    QTRY_VERIFY_WITH_TIMEOUT(!compare()->running(), kLongMs);
    QVERIFY(!compare()->done());
    QVERIFY(!compare()->error().isEmpty());
    run();
    QVERIFY(compare()->done());
  }

  void endsCleanlyWhileItRuns() {
    write_question();
    compare()->openCurrent();
    compare()->start();
    sweep_tester_.reset();
    program_.reset();
  }

  void sweeps() {
    write_question();
    compare()->openCurrent();
    compare()->setRuns(1);
    SweepModel* sweep = compare()->sweep();
    QSignalSpy progress(sweep, &SweepModel::progressed);
    sweep->start();
    QTRY_VERIFY_WITH_TIMEOUT(!sweep->running(), kLongMs);
    QVERIFY2(sweep->error().isEmpty(), qPrintable(sweep->error()));
    QVERIFY(progress.count() > 2);
    const int layers = program_->engine()->layers();
    QCOMPARE(sweep->count(), sweep_depths(layers).size());
    QCOMPARE(sweep->layers(), layers);
    for (int row = 0; row < sweep->count(); ++row) {
      const auto value = [&](SweepModel::Role role) { return sweep->data(sweep->index(row), role).toDouble(); };
      QCOMPARE(value(SweepModel::DepthRole), double(sweep_depths(layers)[row]));
      QVERIFY(value(SweepModel::TtftRole) > 0.0 && value(SweepModel::TtftRole) <= sweep->mostMs());
      QVERIFY(value(SweepModel::AgreementRole) >= 0.0 && value(SweepModel::AgreementRole) <= 1.0);
    }
    QCOMPARE(sweep->data(sweep->index(0), SweepModel::AgreementRole).toDouble(), 1.0);
    QCOMPARE(sweep->data(sweep->index(0), SweepModel::KlRole).toDouble(), 0.0);
    compare()->useDepth(5);
    QVERIFY(program_->pop()->on());
    QCOMPARE(program_->pop()->depth(), 5);

    const QString path = folder_->filePath("sweep.csv");
    exportTo(path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count("sweep_median"), sweep->count());
  }

  void sweepDepths() {
    QCOMPARE(sweep_depths(36), (QList<int>{0, 4, 8, 12, 16, 20, 24, 28, 32}));
    QCOMPARE(sweep_depths(3), (QList<int>{0, 1, 2}));
    QVERIFY(sweep_depths(0).isEmpty());
  }

  void exports() {
    write_question();
    compare()->openCurrent();
    run();
    const QString path = folder_->filePath("out.json");
    exportTo(path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
    QCOMPARE(json["full"].toObject()["text"].toString(), compare()->full()->text());
    QCOMPARE(json["runs"].toArray().size(), 2);

    QImage image(8, 4, QImage::Format_RGB32);
    image.fill(Qt::red);
    compare()->exportPicture(QUrl::fromLocalFile(folder_->filePath("out.png")), image);
    QTRY_VERIFY(compare()->exported().contains("out.png"));
    QCOMPARE(QImage(folder_->filePath("out.png")).size(), QSize(8, 4));
    compare()->exportTo(QUrl::fromLocalFile("/no/such/folder/out.csv"));
    QTRY_VERIFY(compare()->exported().contains("/no/such/folder"));
  }

  void anotherModelClearsTheFigures() {
    write_question();
    compare()->openCurrent();
    run();
    QVERIFY(compare()->done());
    program_->engine()->choose({.folder = folder_->path()});
    QVERIFY(!compare()->done());
    compare()->start();
    QTRY_VERIFY_WITH_TIMEOUT(!compare()->running(), kLongMs);
    QVERIFY2(compare()->error().contains("config.json"), qPrintable(compare()->error()));
  }

 private:
  Chat* chat() { return program_->chat(); }
  Compare* compare() { return program_->compare(); }

  void attach() {
    chat()->attachments()->addFiles({QUrl::fromLocalFile(kPicture)});
    QTRY_VERIFY_WITH_TIMEOUT(chat()->attachments()->ready() && chat()->attachments()->count() > 0, kLongMs);
    chat()->attachments()->setMaxTokens(16);
    QTRY_VERIFY_WITH_TIMEOUT(chat()->attachments()->ready(), kLongMs);
  }
  void write_question() {
    attach();
    chat()->setDraft("The ring has which color?");
  }
  void run() {
    compare()->start();
    QVERIFY(compare()->running());
    QTRY_VERIFY_WITH_TIMEOUT(!compare()->running(), kLongMs);
  }
  void exportTo(const QString& path) {
    compare()->exportTo(QUrl::fromLocalFile(path));
    QTRY_VERIFY(compare()->exported().contains(path));
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<QAbstractItemModelTester> sweep_tester_;
};

QTEST_MAIN(CompareTest)
#include "tst_compare.moc"
