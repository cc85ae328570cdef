// The program without a window: asking the bundled model about a picture, stopping, asking again, coming back later.
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

#include "tests/ui/models/chat_fixture.h"

using namespace poplens::ui;
using namespace poplens::ui::test;

class ChatTest : public QObject, private ChatFixture {
  Q_OBJECT

 private slots:
  void init() { begin(); }
  void cleanup() { end(); }

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
};

QTEST_MAIN(ChatTest)
#include "tst_chat.moc"
