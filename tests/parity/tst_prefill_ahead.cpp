// Work done before the question is there, and pictures asked about again: the same answers, sooner.
#include <QtTest>

#include "tests/parity/session_harness.h"

using namespace poplens;
using namespace poplens::test;

namespace {

GenerateRequest request_of(const PromptRequest& prompt, const PopPlan& plan = {}) {
  GenerateRequest request{.prompt = prompt, .plan = plan};
  request.max_tokens = 8;
  request.keep_first_logits = true;
  return request;
}

Answer ask(Session& session, const GenerateRequest& request, EventRecorder* recorder = nullptr) {
  auto answer = session.generate(request, recorder != nullptr ? recorder->sink() : EventSink{});
  if (!answer.ok()) qFatal("%s", answer.error().message.c_str());
  return std::move(answer).value();
}

// The pictures of a request, before its text is written.
PromptRequest without_text(PromptRequest request) {
  auto& parts = request.messages.back().parts;
  std::erase_if(parts, [](const MessagePart& part) { return part.kind == MessagePart::Kind::text; });
  return request;
}

std::optional<FromCache> told_from_cache(const EventRecorder& recorder) {
  for (const Event& event : recorder.events) {
    if (const auto* cached = std::get_if<FromCache>(&event.what)) return *cached;
  }
  return std::nullopt;
}

}  // namespace

class PrefillAheadTest : public QObject {
  Q_OBJECT

  LoadedModel model_ = open_ended_checkpoint("tiny-untied");
  Picture picture_ = drawn_picture(120, 88, 1);
  PromptRequest question_ = picture_question(picture_, "What is this?");

  std::vector<PopPlan> plans() const {
    return {PopPlan{}, suffix_plan(model_, 3, {Boundary::Kind::text, 1}),
            suffix_plan(model_, 5, {Boundary::Kind::last, 1}), suffix_plan(model_, 4, {Boundary::Kind::count, 4})};
  }
  Answer cold(const GenerateRequest& request) const {
    Session session = make_session(model_);
    return ask(session, request);
  }

 private slots:
  void the_answer_is_the_same_and_goes_on_from_the_picture() {
    for (const PopPlan& plan : plans()) {
      Session session = make_session(model_);
      const auto ahead = session.prefill_ahead(without_text(question_), plan);
      QVERIFY(ahead.ok());
      QVERIFY(ahead->stages.vision_ms > 0.0);
      EventRecorder recorder;
      const Answer answer = ask(session, request_of(question_, plan), &recorder);
      const Answer afresh = cold(request_of(question_, plan));
      QCOMPARE(answer.tokens, afresh.tokens);
      QCOMPARE(answer.first_logits, afresh.first_logits);
      QCOMPARE(answer.stages.vision_ms, 0.0);
      // The picture is taken over whole; the token behind it was the boundary of the work ahead.
      QVERIFY2(answer.reused_tokens >= ahead->tokens - 1, std::to_string(answer.reused_tokens).c_str());
      QVERIFY(recorder.progress(Stage::vision).empty());
      // What each of them computed, for the prediction of the next.
      QCOMPARE(ahead->plan.layers, plan.layers);
      QVERIFY((ahead->computed == PromptExtent{.tokens = ahead->tokens,
                                               .boundary_begin = ahead->tokens - 1,
                                               .picture_tokens = {answer.image_tokens}}));
      if (!plan.empty()) QCOMPARE(afresh.computed.boundary_begin, answer.prompt_tokens - answer.boundary_tokens);
      QVERIFY((answer.computed == PromptExtent{.tokens = answer.prompt_tokens,
                                               .first = answer.reused_tokens,
                                               .boundary_begin = afresh.computed.boundary_begin}));
      QVERIFY((afresh.computed == PromptExtent{.tokens = answer.prompt_tokens,
                                               .boundary_begin = afresh.computed.boundary_begin,
                                               .picture_tokens = {answer.image_tokens}}));
      QVERIFY(told_from_cache(recorder).has_value());
      QCOMPARE(told_from_cache(recorder)->tokens, answer.reused_tokens);
    }
  }

  void another_plan_computes_the_prompt_anew_but_not_the_picture() {
    Session session = make_session(model_);
    QVERIFY(session.prefill_ahead(without_text(question_), suffix_plan(model_, 5, {})).ok());
    EventRecorder recorder;
    const Answer answer = ask(session, request_of(question_), &recorder);
    const Answer afresh = cold(request_of(question_));
    QCOMPARE(answer.first_logits, afresh.first_logits);
    QCOMPARE(answer.reused_pictures, 1);
    QVERIFY(answer.computed.picture_tokens.empty());
    QVERIFY(answer.reused_tokens < answer.image_tokens);
    QVERIFY(recorder.progress(Stage::vision).empty());
  }

  void another_picture_or_budget_takes_nothing_over() {
    Session session = make_session(model_);
    QVERIFY(session.prefill_ahead(without_text(question_), {}).ok());
    PromptRequest smaller = question_;
    smaller.pictures.front().max_tokens = 4;
    const Answer answer = ask(session, request_of(smaller));
    QVERIFY(answer.image_tokens <= 4);
    QCOMPARE(answer.reused_pictures, 0);
    QVERIFY(answer.stages.vision_ms > 0.0);
    QCOMPARE(answer.first_logits, cold(request_of(smaller)).first_logits);
    const PromptRequest other = picture_question(drawn_picture(120, 88, 2), "What is this?");
    const Answer second = ask(session, request_of(other));
    QCOMPARE(second.reused_pictures, 0);
    QCOMPARE(second.first_logits, cold(request_of(other)).first_logits);
  }

  void stopped_work_ahead_leaves_a_session_that_answers() {
    Session session = make_session(model_);
    EventRecorder recorder;
    recorder.stop_when = [](const Event& event) {
      const auto* progress = std::get_if<StageProgress>(&event.what);
      return progress != nullptr && progress->stage == Stage::prefill && progress->done == 2;
    };
    const auto ahead = session.prefill_ahead(without_text(question_), {}, recorder.sink(), recorder.stop.get_token());
    QVERIFY(!ahead.ok() && ahead.error().cancelled);
    const Answer answer = ask(session, request_of(question_));
    QCOMPARE(answer.first_logits, cold(request_of(question_)).first_logits);
    // The picture had been encoded by then.
    QCOMPARE(answer.reused_pictures, 1);
  }

  void without_a_picture_there_is_nothing_to_do() {
    Session session = make_session(model_);
    const auto ahead = session.prefill_ahead(text_question("Hello"), {});
    QVERIFY(ahead.ok());
    QCOMPARE(ahead->tokens, 0);
  }

  void a_second_question_about_a_picture_does_not_encode_it_again() {
    Session session = make_session(model_);
    ask(session, request_of(question_));
    ask(session, request_of(text_question("Something else entirely")));
    EventRecorder recorder;
    const Answer again = ask(session, request_of(question_), &recorder);
    QCOMPARE(again.reused_pictures, 1);
    QVERIFY(recorder.progress(Stage::vision).empty());
    QCOMPARE(again.first_logits, cold(request_of(question_)).first_logits);
  }

  void nothing_is_taken_over_where_that_is_not_wanted() {
    Session session = make_session(model_);
    ask(session, request_of(question_));
    GenerateRequest request = request_of(question_);
    request.reuse_cache = false;
    const Answer answer = ask(session, request);
    QCOMPARE(answer.reused_pictures, 0);
    QCOMPARE(answer.reused_tokens, 0);
    QVERIFY(answer.stages.vision_ms > 0.0);
  }
};

QTEST_GUILESS_MAIN(PrefillAheadTest)
#include "tst_prefill_ahead.moc"
