// Conversations: what a later request takes over from the cache, and that it changes no answer.
#include <algorithm>

#include <QtTest>

#include "tests/parity/session_harness.h"

using namespace poplens;
using namespace poplens::test;

namespace {

constexpr int64_t kAnswerTokens = 12;
const Boundary kText{Boundary::Kind::text, 1};
const Boundary kLast{Boundary::Kind::last, 1};

GenerateRequest request_of(const PromptRequest& prompt, const PopPlan& plan = {}) {
  GenerateRequest request{.prompt = prompt, .plan = plan};
  request.max_tokens = kAnswerTokens;
  request.keep_first_logits = true;
  return request;
}

Answer ask(Session& session, const GenerateRequest& request, EventRecorder* recorder = nullptr) {
  auto answer = session.generate(request, recorder != nullptr ? recorder->sink() : EventSink{});
  if (!answer.ok()) qFatal("%s", answer.error().message.c_str());
  return std::move(answer).value();
}

bool same_answer(const Answer& a, const Answer& b) {
  return a.tokens == b.tokens && a.first_logits == b.first_logits && a.text == b.text;
}

int64_t common_tokens(const std::vector<int32_t>& a, const std::vector<int32_t>& b) {
  return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
}

}  // namespace

class SessionTurnsTest : public QObject {
  Q_OBJECT

  LoadedModel model_ = open_ended_checkpoint("tiny-untied");
  Picture picture_ = drawn_picture(120, 88, 1);
  PromptRequest first_ = picture_question(picture_, "What is this?");

  std::vector<int32_t> ids_of(const PromptRequest& request) const {
    return model_.prompts->build(request, model_.encoder.get())->ids;
  }
  Answer cold(const GenerateRequest& request) const {
    Session session = make_session(model_);
    return ask(session, request);
  }
  // A first question whose answer, written out and read in again, gives its own tokens: the random model mostly writes
  // what no one would.
  GenerateRequest first_request(const PopPlan& plan) const {
    Session session = make_session(model_);
    GenerateRequest request = request_of(first_, plan);
    request.max_tokens = 4;
    request.sampling.temperature = 1.0;
    for (request.sampling.seed = 0; request.sampling.seed < 3000; ++request.sampling.seed) {
      const Answer answer = ask(session, request);
      const auto again = model_.prompts->tokenizer().encode(answer.text, Tokenizer::Special::text);
      if (again == answer.tokens) return request;
    }
    qFatal("no such seed");
  }

 private slots:
  void a_second_turn_prefills_only_what_is_new() {
    const GenerateRequest first = first_request({});
    Session session = make_session(model_);
    const Answer answer = ask(session, first);
    QCOMPARE(answer.reused_tokens, 0);
    const GenerateRequest second = request_of(next_question(first_, answer.text, "And now?"));
    EventRecorder recorder;
    const Answer warm = ask(session, second, &recorder);
    // The prompt and the answer but its last token, which was never fed.
    QCOMPARE(warm.reused_tokens, answer.prompt_tokens + 3);
    QCOMPARE(warm.trace.layers.front().full, warm.prompt_tokens - warm.reused_tokens);
    QVERIFY(recorder.progress(Stage::vision).empty());
    const Answer afresh = cold(second);
    QCOMPARE(afresh.reused_tokens, 0);
    QVERIFY(same_answer(warm, afresh));
  }

  void a_second_turn_under_a_plan_keeps_what_is_there() {
    const PopPlan plan = suffix_plan(model_, 3, kText);
    const GenerateRequest first = first_request(plan);
    Session session = make_session(model_);
    const Answer answer = ask(session, first);
    const PromptRequest prompt = next_question(first_, answer.text, "And now?");
    for (const PopPlan& now : {plan, suffix_plan(model_, 4, kLast), PopPlan{}}) {
      Session copy = make_session(model_);
      QCOMPARE(ask(copy, first).tokens, answer.tokens);
      const Answer warm = ask(copy, request_of(prompt, now));
      QCOMPARE(warm.reused_tokens, answer.prompt_tokens + 3);
      // Asked again, the second turn still stands on the first one as it was answered.
      const Answer again = ask(copy, request_of(prompt, now));
      QVERIFY(again.reused_tokens >= warm.reused_tokens);
      QVERIFY(same_answer(again, warm));
    }
  }

  void an_answer_that_reads_otherwise_is_taken_over_as_far_as_it_goes() {
    Session session = make_session(model_);
    const Answer answer = ask(session, request_of(first_));
    const PromptRequest prompt = next_question(first_, answer.text, "And now?");
    std::vector<int32_t> cached = ids_of(first_);
    cached.insert(cached.end(), answer.tokens.begin(), answer.tokens.end() - 1);
    const Answer warm = ask(session, request_of(prompt));
    QCOMPARE(warm.reused_tokens, common_tokens(cached, ids_of(prompt)));
    QVERIFY(same_answer(warm, cold(request_of(prompt))));
  }

  void regenerating_computes_one_position() {
    for (const PopPlan& plan : {PopPlan{}, suffix_plan(model_, 3, kText), suffix_plan(model_, 9, kLast)}) {
      Session session = make_session(model_);
      const Answer answer = ask(session, request_of(first_, plan));
      for (int i = 0; i < 3; ++i) {
        EventRecorder recorder;
        const Answer again = ask(session, request_of(first_, plan), &recorder);
        QCOMPARE(again.reused_tokens, again.prompt_tokens - 1);
        QVERIFY(recorder.progress(Stage::vision).empty());
        QVERIFY(same_answer(again, answer));
      }
    }
  }

  void another_plan_does_not_take_over_pruned_rows() {
    const std::vector<PopPlan> plans{
        {}, suffix_plan(model_, 3, kText), suffix_plan(model_, 5, kText), suffix_plan(model_, 3, kLast)};
    std::vector<Answer> expected;
    expected.reserve(plans.size());
    for (const PopPlan& plan : plans) expected.push_back(cold(request_of(first_, plan)));
    QVERIFY(expected[0].first_logits != expected[1].first_logits);
    Session session = make_session(model_);
    for (const size_t i : {0u, 1u, 0u, 2u, 1u, 3u, 1u, 3u, 2u, 3u, 0u}) {
      QVERIFY2(same_answer(ask(session, request_of(first_, plans[i])), expected[i]),
               qPrintable(QString("plan %1").arg(i)));
    }
    const Answer full = ask(session, request_of(first_, plans[0]));
    QCOMPARE(full.reused_tokens, full.prompt_tokens - 1);
    QCOMPARE(ask(session, request_of(first_, plans[1])).reused_tokens, 0);
    QCOMPARE(ask(session, request_of(first_, plans[0])).reused_tokens, 0);
  }

  void an_edited_question() {
    for (const PopPlan& plan : {PopPlan{}, suffix_plan(model_, 3, kText)}) {
      Session session = make_session(model_);
      ask(session, request_of(first_, plan));
      const GenerateRequest edited = request_of(picture_question(picture_, "What is left of it?"), plan);
      const Answer warm = ask(session, edited);
      QCOMPARE(warm.reused_tokens, common_tokens(ids_of(first_), ids_of(edited.prompt)));
      QVERIFY(warm.reused_tokens > warm.image_tokens);
      QVERIFY(same_answer(warm, cold(edited)));
      QVERIFY(same_answer(ask(session, request_of(first_, plan)), cold(request_of(first_, plan))));
    }
  }

  void another_picture_of_the_same_size() {
    Session session = make_session(model_);
    ask(session, request_of(first_));
    const GenerateRequest other = request_of(picture_question(drawn_picture(120, 88, 2), "What is this?"));
    const auto prompt = model_.prompts->build(other.prompt, model_.encoder.get());
    QCOMPARE(prompt->ids, ids_of(first_));
    const Answer warm = ask(session, other);
    QCOMPARE(warm.reused_tokens, prompt->pictures.front().tokens.begin);
    QVERIFY(same_answer(warm, cold(other)));
    QVERIFY(!same_answer(warm, cold(request_of(first_))));
  }

  void two_pictures_the_second_one_changed() {
    const auto with = [&](uint32_t second) {
      PromptRequest request = first_;
      request.messages.front().parts.push_back({MessagePart::Kind::image, {}});
      request.messages.front().parts.push_back({MessagePart::Kind::text, "Which is brighter?"});
      request.pictures.push_back(drawn_picture(64, 100, second));
      return request_of(request);
    };
    Session session = make_session(model_);
    ask(session, with(5));
    EventRecorder recorder;
    const Answer warm = ask(session, with(6), &recorder);
    QCOMPARE(warm.reused_tokens, model_.prompts->build(with(6).prompt, model_.encoder.get())->pictures[1].tokens.begin);
    QCOMPARE(recorder.stages().front(), std::string("image_decode("));
    QCOMPARE(std::get<FromCache>(recorder.events[0].what).tokens, warm.reused_tokens);
    QCOMPARE(std::get<StageStarted>(recorder.events[1].what).index, 1);
    QVERIFY(same_answer(warm, cold(with(6))));
  }

  void without_the_cache() {
    Session session = make_session(model_);
    const Answer answer = ask(session, request_of(first_));
    GenerateRequest afresh = request_of(first_);
    afresh.reuse_cache = false;
    const Answer again = ask(session, afresh);
    QCOMPARE(again.reused_tokens, 0);
    QVERIFY(same_answer(again, answer));
    session.forget();
    QCOMPARE(ask(session, request_of(first_)).reused_tokens, 0);
  }

  void logits_of_a_prompt_leave_no_trace() {
    Session session = make_session(model_);
    const Answer answer = ask(session, request_of(first_));
    const auto logits = session.logits(text_question("Something else"), suffix_plan(model_, 3, kLast));
    QVERIFY(logits.ok());
    QCOMPARE(logits->rows.size(), size_t{1});
    QVERIFY(same_answer(ask(session, request_of(first_)), answer));
    const auto all = session.logits(first_, {});
    QVERIFY(all.ok());
    QCOMPARE(static_cast<int64_t>(all->rows.size()), answer.prompt_tokens);
    const auto vocab = static_cast<int64_t>(answer.first_logits.size());
    QVERIFY(std::equal(answer.first_logits.begin(), answer.first_logits.end(), all->values.end() - vocab));
    for (const LayerRows& rows : all->trace.layers) {
      QCOMPARE(rows.full, answer.prompt_tokens);
      QCOMPARE(rows.kv_only, 0);
    }
  }

  void two_sessions_may_take_turns_on_one_decoder() {
    Session one = make_session(model_);
    Session two = make_session(model_, 16);
    const GenerateRequest other = request_of(text_question("Count to five."));
    const Answer first = ask(one, request_of(first_));
    const Answer second = ask(two, other);
    QVERIFY(same_answer(ask(one, request_of(first_)), first));
    QVERIFY(same_answer(ask(two, other), second));
    QVERIFY(same_answer(second, cold(other)));
  }

  // What an answer says about the work that was done.
  void the_answer_tells_of_its_rows() {
    const PopPlan plan = suffix_plan(model_, 2, kText);
    const Answer answer = cold(request_of(first_, plan));
    const auto prompt = model_.prompts->build(first_, model_.encoder.get());
    const int64_t boundary = prompt->tokens() - prompt->pictures.front().tokens.end;
    QCOMPARE(answer.prompt_tokens, prompt->tokens());
    QCOMPARE(answer.image_tokens, prompt->image_tokens());
    QCOMPARE(answer.boundary_tokens, boundary);
    QVERIFY(answer.plan == plan);
    const size_t layers = answer.trace.layers.size();
    for (size_t i = 0; i < layers; ++i) {
      const int64_t full = i + 2 < layers ? answer.prompt_tokens : i + 1 < layers ? boundary : 1;
      QCOMPARE(answer.trace.layers[i].full, full);
      QCOMPARE(answer.trace.layers[i].kv_only, answer.prompt_tokens - full);
    }
    QCOMPARE(cold(request_of(first_)).boundary_tokens, answer.prompt_tokens);
  }
};

QTEST_APPLESS_MAIN(SessionTurnsTest)
#include "tst_session_turns.moc"
