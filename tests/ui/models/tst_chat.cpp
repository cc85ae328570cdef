// The program without a window: asking the bundled model about a picture, stopping, asking again, coming back later.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "ui/engine/engine_client.h"
#include "ui/models/program.h"

using namespace poplens::ui;

namespace {

const QString kModel = QString(POPLENS_SOURCE_DIR) + "/assets/models/demo-qwen3-vl";
const QString kPicture = QString(POPLENS_SOURCE_DIR) + "/assets/samples/shapes.png";
constexpr int kLongMs = 60'000;

struct Testers {
  explicit Testers(Program& program)
      : messages(program.chat()->messages(), Mode::QtTest),
        attachments(program.chat()->attachments(), Mode::QtTest),
        conversations(program.conversations(), Mode::QtTest) {}
  using Mode = QAbstractItemModelTester::FailureReportingMode;
  QAbstractItemModelTester messages, attachments, conversations;
};

// The only entry of the file that measured speeds are kept in.
std::optional<poplens::MeasuredSpeed> speed_kept_in(const QString& cache) {
  QFile file(cache + "/poplens/speed.json");
  if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
  const QJsonObject models = QJsonDocument::fromJson(file.readAll()).object();
  if (models.count() != 1) return std::nullopt;
  return poplens::read_speed(file.fileName().toStdString(), models.keys().first().toStdString());
}

}  // namespace

class ChatTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    start();
  }
  void cleanup() {
    testers_.reset();
    program_.reset();
  }

  void showsWhatTheModelWillSeeBeforeSending() {
    attach();
    const auto picture = chat()->attachments()->pictures().first();
    QCOMPARE(picture.name, QString("shapes.png"));
    QVERIFY(picture.tokens > 0);
    const int tokens = picture.tokens;
    chat()->attachments()->setMaxTokens(9);
    QVERIFY(!chat()->attachments()->ready());
    QTRY_VERIFY_WITH_TIMEOUT(chat()->attachments()->ready(), kLongMs);
    QVERIFY(chat()->attachments()->tokens() <= 9);
    QVERIFY(chat()->attachments()->tokens() < tokens);
    chat()->attachments()->remove(0);
    QCOMPARE(chat()->attachments()->count(), 0);
  }

  void refusesWhatIsNoPicture() {
    chat()->attachments()->addFiles({QUrl::fromLocalFile(QString(POPLENS_SOURCE_DIR) + "/CMakeLists.txt")});
    auto* attachments = chat()->attachments();
    QTRY_VERIFY(attachments->data(attachments->index(0), AttachmentListModel::MeasuredRole).toBool());
    QVERIFY(!attachments->data(attachments->index(0), AttachmentListModel::ReasonRole).toString().isEmpty());
    chat()->setDraft("What is it?");
    QVERIFY(!chat()->canSend());
    chat()->attachments()->remove(0);
    QVERIFY(chat()->canSend());
  }

  void pastesAPicture() {
    auto data = std::make_unique<QMimeData>();
    QImage image(64, 48, QImage::Format_RGB32);
    image.fill(Qt::red);
    data->setImageData(image);
    QGuiApplication::clipboard()->setMimeData(data.release());
    QVERIFY(chat()->paste());
    QTRY_VERIFY_WITH_TIMEOUT(chat()->attachments()->ready() && chat()->attachments()->count() == 1, kLongMs);
    QCOMPARE(chat()->attachments()->pictures().first().size, QSize(64, 48));
    QGuiApplication::clipboard()->setText("only words");
    QVERIFY(!chat()->paste());
  }

  // What other programs put beside a picture: spreadsheets their cells, browsers an address.
  void whatIsWrittenIsPastedAsText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("as_picture");
    QTest::newRow("cells") << "Month\tSales\nMay\t42\n" << false;
    QTest::newRow("a word") << "Total" << false;
    QTest::newRow("a sentence with an address") << "see https://example.org/a.png" << false;
    QTest::newRow("an address") << "https://example.org/a%20b.png\n" << true;
    QTest::newRow("a file") << "file:///home/a/b.png" << true;
    QTest::newRow("blank") << " \n" << true;
  }
  void whatIsWrittenIsPastedAsText() {
    QFETCH(const QString, text);
    QFETCH(const bool, as_picture);
    auto data = std::make_unique<QMimeData>();
    QImage image(64, 48, QImage::Format_RGB32);
    image.fill(Qt::red);
    data->setImageData(image);
    data->setText(text);
    QGuiApplication::clipboard()->setMimeData(data.release());
    QCOMPARE(chat()->paste(), as_picture);
    QCOMPARE(chat()->attachments()->count(), as_picture ? 1 : 0);
  }

  void answersAndKeepsItsFigures() {
    attach();
    ask("The ring has which color?");
    QCOMPARE(chat()->messages()->count(), 2);
    const ChatMessage* answer = chat()->messages()->last();
    QCOMPARE(answer->state(), ChatMessage::Done);
    QVERIFY(!answer->text().isEmpty());
    QVERIFY(answer->figures().ttftMs > 0.0);
    QVERIFY(answer->figures().stages.prefill_ms > 0.0);
    QCOMPARE(answer->figures().layers, 20);
    QCOMPARE(answer->figures().prunedLayers, 0);
    QCOMPARE(program_->engine()->state(), EngineState::Ready);
    QTRY_COMPARE(program_->conversations()->count(), 1);
  }

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

  void planGoesIntoTheAnswer() {
    QTRY_COMPARE_WITH_TIMEOUT(program_->engine()->state(), EngineState::Ready, kLongMs);
    program_->pop()->setOn(true);
    program_->pop()->setDepth(7);
    attach();
    ask("What is shown?");
    QCOMPARE(chat()->messages()->last()->figures().prunedLayers, 7);
    QTRY_VERIFY_WITH_TIMEOUT(program_->pop()->predictedMs() > 0.0, kLongMs);
    QVERIFY(program_->pop()->predictedMs() < program_->pop()->predictedFullMs());
    // The slider moves while an answer runs: it belongs to the next one.
    chat()->setDraft("Describe it.");
    chat()->send();
    program_->pop()->setDepth(3);
    QTRY_VERIFY_WITH_TIMEOUT(!chat()->running(), kLongMs);
    QCOMPARE(chat()->messages()->last()->figures().prunedLayers, 7);
  }

  void stopTakesEffectBeforeTheFirstToken() {
    attach();
    chat()->setDraft("Describe it.");
    chat()->send();
    chat()->stop();
    QTRY_VERIFY_WITH_TIMEOUT(!chat()->running(), kLongMs);
    QCOMPARE(chat()->messages()->last()->state(), ChatMessage::Stopped);
    QCOMPARE(chat()->messages()->last()->error(), QString());
    // And the conversation goes on.
    ask("The ring has which color?");
    QCOMPARE(chat()->messages()->last()->state(), ChatMessage::Done);
  }

  void regeneratesAndEdits() {
    attach();
    ask("The ring has which color?");
    const QString first = chat()->messages()->last()->text();
    chat()->regenerate(1);
    QVERIFY(chat()->running());
    QTRY_VERIFY_WITH_TIMEOUT(!chat()->running(), kLongMs);
    QCOMPARE(chat()->messages()->count(), 2);
    QCOMPARE(chat()->messages()->last()->text(), first);
    QVERIFY(chat()->messages()->last()->figures().reusedTokens > 0);

    chat()->edit(0);
    QCOMPARE(chat()->draft(), QString("The ring has which color?"));
    QTRY_VERIFY_WITH_TIMEOUT(chat()->attachments()->ready() && chat()->attachments()->count() == 1, kLongMs);
    ask("How many objects do you see?");
    QCOMPARE(chat()->messages()->count(), 2);
    QCOMPARE(chat()->messages()->at(0)->text(), QString("How many objects do you see?"));
  }

  void eagerPrefillIsTakenOver() {
    attach();
    QTRY_VERIFY_WITH_TIMEOUT(chat()->ahead()->done(), kLongMs);
    ask("The ring has which color?");
    const AnswerFigures eager = chat()->messages()->last()->figures();
    QVERIFY(eager.ahead.vision_ms > 0.0);
    QVERIFY(eager.stages.vision_ms == 0.0);
    QVERIFY(eager.reusedTokens >= eager.imageTokens);
    const QString text = chat()->messages()->last()->text();

    chat()->begin();
    program_->settings()->setPrefillAhead(false);
    attach();
    ask("The ring has which color?");
    QCOMPARE(chat()->messages()->last()->text(), text);
    QCOMPARE(chat()->messages()->last()->figures().ahead.vision_ms, 0.0);
  }

  // What is still to be done is waited for, stage by stage; what was done before is told apart.
  void eagerPrefillThatStillRunsIsWaitedFor() {
    chat()->setDraft("The ring has which color?");
    const auto send = [this] {
      if (chat()->ahead()->running()) chat()->send();
    };
    connect(chat()->ahead(), &AheadWork::changed, chat(), send);
    attach();
    QTRY_VERIFY_WITH_TIMEOUT(chat()->messages()->count() == 2 && !chat()->running(), kLongMs);
    const AnswerFigures figures = chat()->messages()->last()->figures();
    QVERIFY(figures.ahead.vision_ms + figures.stages.vision_ms > 0.0);
    QVERIFY(figures.aheadTokens > 0);
    QVERIFY(figures.reusedTokens >= figures.imageTokens);
    QVERIFY(total_ms(figures.stages) <= figures.ttftMs);
  }

  void conversationIsThereAfterARestart() {
    attach();
    ask("The ring has which color?");
    const QString text = chat()->messages()->last()->text();
    const double ttft = chat()->messages()->last()->figures().ttftMs;
    const QString id = chat()->conversation();
    restart();
    QTRY_COMPARE(program_->conversations()->count(), 1);
    program_->conversations()->setSearch("ring colour");
    QTRY_COMPARE(program_->conversations()->count(), 0);
    program_->conversations()->setSearch("RING color");
    QTRY_COMPARE(program_->conversations()->count(), 1);
    chat()->open(id);
    QTRY_COMPARE(chat()->messages()->count(), 2);
    QCOMPARE(chat()->messages()->at(0)->pictures().size(), 1);
    QCOMPARE(chat()->messages()->at(1)->text(), text);
    QCOMPARE(chat()->messages()->at(1)->figures().ttftMs, ttft);
    ask("And the square?");
    QCOMPARE(chat()->messages()->count(), 4);
  }

  void closingWhileItAnswersKeepsTheQuestion() {
    attach();
    chat()->setDraft("List everything you see.");
    chat()->send();
    const QString id = chat()->conversation();
    restart();
    QTRY_COMPARE(program_->conversations()->count(), 1);
    chat()->open(id);
    QTRY_COMPARE(chat()->messages()->count(), 2);
    QCOMPARE(chat()->messages()->at(0)->text(), QString("List everything you see."));
    QCOMPARE(chat()->messages()->at(1)->state(), ChatMessage::Stopped);
  }

  void modelThatCannotBeLoadedSaysWhy() {
    program_->engine()->choose({.folder = folder_->path()});
    chat()->setDraft("Hello");
    ask("Hello");
    QCOMPARE(chat()->messages()->last()->state(), ChatMessage::Failed);
    QVERIFY2(chat()->messages()->last()->error().contains("config.json"),
             qPrintable(chat()->messages()->last()->error()));
    QVERIFY(!chat()->messages()->last()->advice().isEmpty());
    QCOMPARE(program_->engine()->state(), EngineState::Failed);
    program_->engine()->choose({.folder = kModel});
    chat()->regenerate(1);
    QTRY_VERIFY_WITH_TIMEOUT(!chat()->running(), kLongMs);
    QCOMPARE(chat()->messages()->last()->state(), ChatMessage::Done);
  }

  // More text than the model's context holds is refused before any work, and the conversation goes on.
  void promptTooLongIsACardNotACrash() {
    ask(QString("many words ").repeated(4000));
    QCOMPARE(chat()->messages()->last()->state(), ChatMessage::Failed);
    QVERIFY2(chat()->messages()->last()->error().contains("context"), qPrintable(chat()->messages()->last()->error()));
  }

  // A question sent before the messages are read would take their place on the disk.
  void nothingIsSentBeforeAConversationIsRead() {
    ask("Hello");
    const QString id = chat()->conversation();
    restart();
    QTRY_COMPARE(program_->conversations()->count(), 1);
    chat()->open(id);
    chat()->setDraft("And now?");
    QVERIFY(!chat()->canSend());
    chat()->send();
    QTRY_COMPARE(chat()->messages()->count(), 2);
    ask("And now?");
    restart();
    QTRY_COMPARE(program_->conversations()->count(), 1);
    chat()->open(id);
    QTRY_COMPARE(chat()->messages()->count(), 4);
  }

  void conversationsAreRenamedAndDeleted() {
    ask("Hello");
    QTRY_COMPARE(program_->conversations()->count(), 1);
    program_->conversations()->rename(program_->conversations()->idAt(0), "Greetings");
    QCOMPARE(chat()->title(), QString("Greetings"));
    program_->conversations()->remove(program_->conversations()->idAt(0));
    QCOMPARE(chat()->messages()->count(), 0);
    restart();
    QTest::qWait(200);
    QCOMPARE(program_->conversations()->count(), 0);
  }

  void aConversationThatRunsIsDeletedWithItsAnswer() {
    program_->settings()->setMaxTokens(400);
    chat()->setDraft("Hello");
    chat()->send();
    QVERIFY(chat()->running());
    program_->conversations()->remove(chat()->conversation());
    QVERIFY(!chat()->running());
    QCOMPARE(chat()->messages()->count(), 0);
    restart();
    QTest::qWait(200);
    QCOMPARE(program_->conversations()->count(), 0);
  }

 private:
  Chat* chat() { return program_->chat(); }

  void start() {
    program_ = std::make_unique<Program>(ProgramOptions{.data_folder = folder_->path(), .default_model = kModel});
    testers_ = std::make_unique<Testers>(*program_);
    program_->start();
    QTRY_VERIFY(!program_->engine()->folder().isEmpty());
    program_->settings()->setMaxTokens(24);
  }

  void restart() {
    testers_.reset();
    program_.reset();
    start();
  }

  void attach() {
    chat()->attachments()->addFiles({QUrl::fromLocalFile(kPicture)});
    QTRY_VERIFY_WITH_TIMEOUT(chat()->attachments()->ready() && chat()->attachments()->count() > 0, kLongMs);
  }

  void ask(const QString& text) {
    chat()->setDraft(text);
    chat()->send();
    QVERIFY(chat()->running());
    QTRY_VERIFY_WITH_TIMEOUT(!chat()->running(), kLongMs);
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Testers> testers_;
};

QTEST_MAIN(ChatTest)
#include "tst_chat.moc"
