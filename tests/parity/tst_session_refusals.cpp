// What a session refuses, in one sentence and before any work.
#include <QRegularExpression>
#include <QtTest>

#include "tests/parity/session_harness.h"

using namespace poplens;
using namespace poplens::test;

namespace {

GenerateRequest request_of(const PromptRequest& prompt, int64_t max_tokens = 12) {
  GenerateRequest request{.prompt = prompt};
  request.max_tokens = max_tokens;
  return request;
}

}  // namespace

class SessionRefusalsTest : public QObject {
  Q_OBJECT

  LoadedModel model_ = open_ended_checkpoint("tiny-tied");
  PromptRequest picture_ = picture_question(drawn_picture(160, 128, 1), "What is this?");
  PromptRequest text_ = text_question("Hi");

  // Refused with this sentence, before any work: no event, and the session goes on.
  void verify_refused(const LoadedModel& model, const GenerateRequest& request, const std::string& sentence) const {
    Session session = make_session(model);
    EventRecorder recorder;
    const auto answer = session.generate(request, recorder.sink());
    QVERIFY(!answer.ok());
    QVERIFY(!answer.error().cancelled);
    QVERIFY2(answer.error().message.find(sentence) != std::string::npos, answer.error().message.c_str());
    QVERIFY(answer.error().message.find('\n') == std::string::npos);
    QVERIFY(recorder.events.empty());
    const auto fine = session.generate(request_of(text_, 2));
    QVERIFY2(fine.ok(), fine.ok() ? "" : fine.error().message.c_str());
  }
  LoadedModel with_context(int64_t context) const {
    return with_config(model_, [&](ModelConfig& config) { config.decoder.context = context; });
  }

 private slots:
  void a_context_that_is_too_small() {
    const auto tokens = model_.prompts->build(picture_, model_.encoder.get())->tokens();
    verify_refused(
        with_context(tokens), request_of(picture_),
        "the prompt has " + std::to_string(tokens) + " tokens and the model's context holds " + std::to_string(tokens));
    for (const int64_t room : {1, 3}) {
      const LoadedModel model = with_context(tokens + room);
      for (const int64_t most : {int64_t{100}, INT64_MAX}) {
        Session session = make_session(model);
        const auto answer = session.generate(request_of(picture_, most));
        QVERIFY(answer.ok());
        QCOMPARE(static_cast<int64_t>(answer->tokens.size()), room);
        QVERIFY(answer->finish_reason == FinishReason::length);
      }
    }
  }

  void more_memory_than_there_is() {
    const LoadedModel model = with_context(int64_t{1} << 40);
    const GenerateRequest request = request_of(text_, INT64_MAX);
    verify_refused(model, request, "not enough memory: a prompt of ");
    Session session = make_session(model);
    const std::string message = session.generate(request).error().message;
    const QRegularExpression sentence(
        "^not enough memory: a prompt of \\d+ tokens needs \\d+\\.\\d GB, \\d+\\.\\d [GM]B are free$");
    QVERIFY2(sentence.match(QString::fromStdString(message)).hasMatch(), message.c_str());
  }

  // What is refused leaves the conversation as it was.
  void a_refusal_keeps_the_cache() {
    const LoadedModel model = with_context(int64_t{1} << 40);
    Session session = make_session(model);
    const auto first = session.generate(request_of(picture_));
    QVERIFY(first.ok());
    QVERIFY(!session.generate(request_of(text_, INT64_MAX)).ok());
    PromptRequest wrong = picture_;
    wrong.pictures.clear();
    QVERIFY(!session.generate(request_of(wrong)).ok());
    const auto again = session.generate(request_of(picture_));
    QVERIFY(again.ok());
    QCOMPARE(again->reused_tokens, again->prompt_tokens - 1);
    QCOMPARE(again->tokens, first->tokens);
  }

  void pictures_in_the_wrong_number() {
    PromptRequest too_many = picture_;
    too_many.pictures.push_back(picture_.pictures.front());
    verify_refused(model_, request_of(too_many), "the prompt has 1 picture placeholders, but 2 pictures were given");
    PromptRequest too_few = picture_;
    too_few.pictures.clear();
    verify_refused(model_, request_of(too_few), "the prompt has 1 picture placeholders, but 0 pictures were given");
  }

  void a_picture_for_a_model_that_reads_none() {
    LoadedModel blind = model_;
    blind.encoder = nullptr;
    verify_refused(blind, request_of(picture_), "drawn.bmp: this model reads no pictures");
    verify_refused(with_config(model_, [](ModelConfig& config) { config.image_tokens.reset(); }), request_of(picture_),
                   "drawn.bmp: this model reads no pictures");
    PromptRequest placeholder_only = picture_;
    placeholder_only.pictures.clear();
    verify_refused(blind, request_of(placeholder_only), "0 pictures were given");
  }

  void a_file_that_is_no_picture() {
    PromptRequest broken = picture_;
    const auto bytes = std::make_shared<std::vector<std::byte>>(100, std::byte{'x'});
    broken.pictures.front() = {"notes.txt", *bytes, bytes};
    verify_refused(model_, request_of(broken), "notes.txt");
  }

  // A header that is fine and pixels that are not there may only be found out while decoding.
  void a_picture_that_is_cut_off() {
    PromptRequest cut_off = picture_;
    cut_off.pictures.front().bytes = cut_off.pictures.front().bytes.first(60);
    Session session = make_session(model_);
    const auto answer = session.generate(request_of(cut_off));
    QVERIFY(!answer.ok());
    QVERIFY2(answer.error().message.find("drawn.bmp") != std::string::npos, answer.error().message.c_str());
    Session undisturbed = make_session(model_);
    const auto expected = undisturbed.generate(request_of(picture_));
    const auto after = session.generate(request_of(picture_));
    QVERIFY(expected.ok() && after.ok());
    QCOMPARE(after->tokens, expected->tokens);
  }

  void a_tokenizer_of_another_model() {
    const LoadedModel model = with_config(model_, [](ModelConfig& config) { config.decoder.vocab = 70; });
    Session session = make_session(model);
    EventRecorder recorder;
    const auto answer = session.generate(request_of(text_), recorder.sink());
    QVERIFY(!answer.ok());
    QVERIFY2(answer.error().message.find("tokenizer and weights do not belong together") != std::string::npos,
             answer.error().message.c_str());
    QVERIFY(recorder.events.empty());
  }

  void an_empty_prompt() {
    verify_refused(model_, request_of(PromptRequest{}), "the prompt is empty");
    PromptRequest raw;
    raw.raw = true;
    verify_refused(model_, request_of(raw), "the prompt is empty");
  }
};

QTEST_APPLESS_MAIN(SessionRefusalsTest)
#include "tst_session_refusals.moc"
