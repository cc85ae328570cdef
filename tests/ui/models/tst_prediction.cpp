// What the slider says an answer will take: told by this machine's measured speed, corrected by answers.
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>

#include "tests/ui/models/chat_fixture.h"

using namespace poplens::ui;
using namespace poplens::ui::test;

namespace {

// The only entry of the file that measured speeds are kept in.
std::optional<poplens::MeasuredSpeed> speed_kept_in(const QString& cache) {
  QFile file(cache + "/poplens/speed.json");
  if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
  const QJsonObject models = QJsonDocument::fromJson(file.readAll()).object();
  if (models.count() != 1) return std::nullopt;
  return poplens::read_speed(file.fileName().toStdString(), models.keys().first().toStdString());
}

}  // namespace

class PredictionTest : public QObject, private ChatFixture {
  Q_OBJECT

 private slots:
  void init() { begin(); }
  void cleanup() { end(); }

  // What the slider says comes from this machine's measured speed, and needs no answer before it.
  void predictsBeforeTheFirstQuestion() {
    QTemporaryDir cache;
    qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
    program_->settings()->setPrefillAhead(false);
    program_->engine()->load();
    program_->pop()->setOn(true);
    attach();
    QTRY_VERIFY_WITH_TIMEOUT(program_->pop()->predictedMs() > 0.0, kLongMs);
    const ModelFacts facts = program_->engine()->facts();
    const auto kept = speed_kept_in(cache.path());
    QVERIFY(kept.has_value());
    constexpr int kTextTokens = 32;  // of a typical question
    const int64_t picture = program_->chat()->attachments()->tokens();
    for (const int depth : {0, 7, 20}) {
      std::vector<int> layers;
      for (int layer = facts.layers - depth; layer < facts.layers; ++layer) layers.push_back(layer);
      for (const auto boundary : {PopPanel::QuestionInFull, PopPanel::LastTokenInFull}) {
        program_->pop()->setDepth(depth);
        program_->pop()->setBoundary(boundary);
        const int64_t in_full = boundary == PopPanel::QuestionInFull ? kTextTokens : 1;
        const poplens::PromptExtent prompt{.tokens = picture + kTextTokens,
                                           .boundary_begin = picture + kTextTokens - in_full,
                                           .picture_tokens = {picture}};
        const poplens::PopPlan plan{.layers = layers};
        QCOMPARE(program_->pop()->predictedMs(), poplens::predicted_ttft_ms(*kept, facts.decoder, prompt, plan));
      }
    }
    // An answer says how long the question really was, and how long it took.
    ask("The ring has which color?");
    const AnswerFigures figures = chat()->messages()->last()->figures();
    const double files_ms = figures.stages.image_decode_ms + figures.stages.preprocess_ms +
                            figures.ahead.image_decode_ms + figures.ahead.preprocess_ms;
    const poplens::PromptExtent prompt{.tokens = figures.promptTokens,
                                       .boundary_begin = figures.promptTokens - 1,
                                       .picture_tokens = {figures.imageTokens}};
    program_->pop()->setDepth(0);
    QCOMPARE(program_->pop()->promptTokens(), figures.promptTokens);
    const auto learnt = speed_kept_in(cache.path());
    QVERIFY(learnt.has_value());
    QCOMPARE(learnt->prefill_took.size(), size_t{1});
    QCOMPARE(learnt->prefill_took.front().took_ms, figures.stages.prefill_ms + figures.stages.boundary_ms);
    QCOMPARE(learnt->vision_took.size(), size_t{1});
    QCOMPARE(learnt->vision_took.front().took_ms, figures.stages.vision_ms);
    QVERIFY(learnt->prefill.layer.back().ms == kept->prefill.layer.back().ms);
    QCOMPARE(program_->pop()->predictedMs(),
             files_ms + poplens::predicted_ttft_ms(*learnt, facts.decoder, prompt, poplens::PopPlan{}));
    // So does what is read in while a question is being typed.
    program_->settings()->setPrefillAhead(true);
    attach();
    QTRY_VERIFY_WITH_TIMEOUT(chat()->ahead()->done(), kLongMs);
    const auto from_ahead = speed_kept_in(cache.path());
    QVERIFY(from_ahead.has_value());
    QCOMPARE(from_ahead->prefill_took.size(), size_t{2});
    QCOMPARE(program_->pop()->predictedMs(),
             files_ms + poplens::predicted_ttft_ms(*from_ahead, facts.decoder, prompt, poplens::PopPlan{}));
    qunsetenv("XDG_CACHE_HOME");
  }

  // Measuring the speed is no job that a person waits for.
  void questionGoesBeforeMeasuring() {
    QTemporaryDir cache;
    qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
    program_->engine()->load();
    QSignalSpy began(program_->client(), &EngineClient::began);
    QTRY_COMPARE_WITH_TIMEOUT(began.count(), 1, kLongMs);
    program_->chat()->setDraft("What can you do?");
    program_->chat()->send();
    QTRY_VERIFY_WITH_TIMEOUT(!chat()->running(), kLongMs);
    QCOMPARE(chat()->messages()->last()->state(), ChatMessage::Done);
    QVERIFY(!speed_kept_in(cache.path()).has_value());
    // And it is measured afterwards.
    QTRY_VERIFY_WITH_TIMEOUT(program_->pop()->predictedMs() > 0.0, kLongMs);
    qunsetenv("XDG_CACHE_HOME");
  }
};

QTEST_MAIN(PredictionTest)
#include "tst_prediction.moc"
