// What is changed while something of it is under way: another model, another system prompt, another picture.
#include <memory>
#include <semaphore>
#include <utility>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "ui/engine/engine_client.h"
#include "ui/engine/engine_room.h"
#include "ui/models/program.h"

using namespace poplens::ui;

namespace {

const QString kSource = POPLENS_SOURCE_DIR;
const QString kModel = kSource + "/assets/models/demo-qwen3-vl";
const QString kTextModel = kSource + "/tests/data/llama/tiny-tied";
const QString kPicture = kSource + "/assets/samples/shapes.png";
constexpr int kLongMs = 60'000;

}  // namespace

class SecondThoughtsTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    program_ = std::make_unique<Program>(ProgramOptions{.data_folder = folder_->path(), .default_model = kModel});
    program_->start();
    QTRY_COMPARE_WITH_TIMEOUT(program_->engine()->state(), EngineState::Ready, kLongMs);
    program_->settings()->setMaxTokens(8);
  }
  void cleanup() { program_.reset(); }

  // A picture is measured for the model that it will be sent to, also while it is still being read.
  void picturesAreMeasuredForTheNewModel_data() {
    QTest::addColumn<bool>("read");
    QTest::newRow("read") << true;
    QTest::newRow("being read") << false;
  }
  void picturesAreMeasuredForTheNewModel() {
    QFETCH(const bool, read);
    attach();
    if (read) QTRY_VERIFY_WITH_TIMEOUT(chat()->canSend(), kLongMs);
    program_->engine()->choose({.folder = kTextModel});
    QVERIFY(!chat()->canSend());
    const auto measured = [&] { return of_first(AttachmentListModel::MeasuredRole).toBool(); };
    QTRY_VERIFY_WITH_TIMEOUT(measured(), kLongMs);
    QCOMPARE(of_first(AttachmentListModel::ReasonRole).toString(), QString("This model reads no pictures."));
    QVERIFY(!chat()->canSend());
  }

  // What is read ahead for a prompt that is another by now is read ahead again.
  void anotherSystemPromptIsReadAhead() {
    attach();
    QTRY_VERIFY_WITH_TIMEOUT(chat()->ahead()->done(), kLongMs);
    chat()->setSystem("Answer in one word.");
    QVERIFY(!chat()->ahead()->done());
    QTRY_VERIFY_WITH_TIMEOUT(chat()->ahead()->done(), kLongMs);
    ask("The ring has which color?");
    const AnswerFigures figures = chat()->messages()->last()->figures();
    QVERIFY(figures.reusedTokens >= figures.imageTokens);
    QVERIFY(figures.aheadTokens > 0);
  }

  void whatIsAttachedWhileItAnswersIsReadAfterwards() {
    Gate gate(*program_);
    chat()->setDraft("What can you do?");
    chat()->send();
    attach();
    QTRY_VERIFY_WITH_TIMEOUT(chat()->attachments()->ready(), kLongMs);
    constexpr int kSettledMs = 400;
    QTest::qWait(kSettledMs);
    QVERIFY(chat()->running());
    gate.open();
    QTRY_VERIFY_WITH_TIMEOUT(chat()->ahead()->done(), kLongMs);
  }

  // An answer that is asked for again does not wait for the picture of the next question.
  void regeneratingGivesUpWhatIsReadAhead() {
    ask("What can you do?");
    Gate gate(*program_);
    attach();
    QTRY_VERIFY_WITH_TIMEOUT(chat()->ahead()->running(), kLongMs);
    QSignalSpy read_ahead(program_->client(), &EngineClient::prefilled_ahead);
    chat()->regenerate(1);
    QVERIFY(!chat()->ahead()->running());
    gate.open();
    QTRY_VERIFY_WITH_TIMEOUT(!chat()->running(), kLongMs);
    QCOMPARE(read_ahead.count(), 0);
    QCOMPARE(chat()->messages()->last()->state(), ChatMessage::Done);
    QTRY_VERIFY_WITH_TIMEOUT(chat()->ahead()->done(), kLongMs);
  }

  // Of what was done ahead counts what the answer took over.
  void cacheThatWasTakenMeanwhileIsNotCounted() {
    attach();
    QTRY_VERIFY_WITH_TIMEOUT(chat()->ahead()->done(), kLongMs);
    bool forgotten = false;
    program_->client()->run(
        this,
        [](EngineRoom& room, const std::stop_token&) {
          poplens::GenerateRequest other{.prompt = {.messages = {{"user", {{.text = "Hello"}}}}}, .max_tokens = 1};
          return room.session().generate(other, [](const poplens::Event&) {}).ok();
        },
        [&forgotten](bool done) { forgotten = done; });
    QTRY_VERIFY_WITH_TIMEOUT(forgotten, kLongMs);
    ask("The ring has which color?");
    const AnswerFigures figures = chat()->messages()->last()->figures();
    QCOMPARE(figures.reusedPictures, 1);
    QVERIFY(figures.ahead.vision_ms > 0.0);
    QCOMPARE(figures.ahead.prefill_ms, 0.0);
    QCOMPARE(figures.aheadTokens, 0);
  }

  // A model that is no longer wanted is not loaded first.
  void modelThatIsNotWantedAnyLongerIsNotLoaded() {
    Gate gate(*program_);
    QSignalSpy loading(program_->client(), &EngineClient::loading);
    program_->engine()->choose({.folder = kTextModel});
    program_->engine()->load();
    program_->engine()->choose({.folder = kSource + "/tests/data/qwen3_vl/tiny-tied"});
    program_->engine()->load();
    gate.open();
    QTRY_COMPARE_WITH_TIMEOUT(program_->engine()->state(), EngineState::Ready, kLongMs);
    QCOMPARE(program_->engine()->model(), QString("tiny-tied"));
    QCOMPARE(loading.count(), 1);
  }

 private:
  // Keeps the engine busy until it is opened.
  class Gate {
   public:
    explicit Gate(Program& program) {
      program.client()->run(
          &program, [shut = shut_](EngineRoom&, const std::stop_token&) { return shut->acquire(), true; }, [](bool) {});
    }
    ~Gate() { open(); }
    void open() {
      if (!std::exchange(opened_, true)) shut_->release();
    }

   private:
    std::shared_ptr<std::binary_semaphore> shut_ = std::make_shared<std::binary_semaphore>(0);
    bool opened_ = false;
  };

  Chat* chat() { return program_->chat(); }
  QVariant of_first(int role) { return chat()->attachments()->data(chat()->attachments()->index(0), role); }
  void attach() { chat()->attachments()->addFiles({QUrl::fromLocalFile(kPicture)}); }
  void ask(const QString& text) {
    chat()->setDraft(text);
    QTRY_VERIFY_WITH_TIMEOUT(chat()->canSend(), kLongMs);
    chat()->send();
    QTRY_VERIFY_WITH_TIMEOUT(!chat()->running(), kLongMs);
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Program> program_;
};

QTEST_MAIN(SecondThoughtsTest)
#include "tst_second_thoughts.moc"
