// Trials of the evaluation: each method is the function that it says it is.
#include <cmath>

#include <QtTest>

#include "engine/pop/evaluation/answer_trial.h"
#include "engine/pop/importance/answer_runner.h"
#include "tests/engine/session/random_decoder.h"

using namespace poplens;
using namespace poplens::test;

namespace {

constexpr int kLayers = 6;
constexpr int64_t kTokens = 60;
constexpr int64_t kPictureEnd = 41;
constexpr int64_t kMostTokens = 12;
const Boundary kText{Boundary::Kind::text, 1};

AnswerSample sample_for(Decoder& decoder) {
  RandomPrompt random = random_prompt(decoder, kTokens, {{5, kPictureEnd}});
  return {std::move(random.prompt), std::move(random.features), {3, 11, 7, 2, 29}};
}

}  // namespace

class AnswerTrialTest : public QObject {
  Q_OBJECT

  std::shared_ptr<Decoder> decoder_ = random_decoder({.layers = kLayers});
  AnswerSample sample_ = sample_for(*decoder_);

  TrialOutcome run(EvalMethod method, int depth, Boundary boundary = kText, std::vector<int32_t> stops = {},
                   int64_t chunk = 1024) {
    AnswerTrials trials(decoder_, std::move(stops), decoder_->spec().vocab, chunk);
    auto outcome = trials.run(sample_, {method, depth, boundary}, kMostTokens, {});
    if (!outcome.ok()) qFatal("%s", outcome.error().message.c_str());
    return std::move(outcome).value();
  }

 private slots:
  void losses_are_those_of_one_pass_over_the_whole_sequence() {
    AnswerRunner runner(decoder_);
    const AnswerSequence sequence(sample_, false);
    const auto expect = [&](EvalMethod method, int depth, const VirtualGates* gates) {
      const auto loss = runner.loss(sequence, gates, 0, {});
      QVERIFY(loss.ok());
      QVERIFY2(std::abs(run(method, depth).loss - *loss) <= 1e-4 * *loss, name_of(method));
    };
    expect(EvalMethod::full, 0, nullptr);
    for (const EvalMethod method : {EvalMethod::pop_no_boundary, EvalMethod::decode, EvalMethod::both}) {
      const VirtualGates gates = gates_for(method, kLayers, 3, kPictureEnd, kTokens);
      expect(method, 3, &gates);
    }
    VirtualGates pruned = VirtualGates::open(kLayers, kPictureEnd);
    for (size_t layer = 3; layer < kLayers; ++layer) pruned.prefill[layer] = {0.0F, 0.0F};
    expect(EvalMethod::pop, 3, &pruned);
  }

  // Nobody reads the keys and values that the pruned layers of a suffix leave once the decode skips them too.
  void decode_and_both_are_one_function_for_a_suffix() {
    for (const Boundary boundary : {kText, Boundary{Boundary::Kind::last, 1}}) {
      const TrialOutcome decode = run(EvalMethod::decode, 2, boundary), both = run(EvalMethod::both, 2, boundary);
      QCOMPARE(decode.loss, both.loss);
      QVERIFY(decode.answer == both.answer);
    }
  }

  void depth_0_is_the_full_model() {
    const TrialOutcome full = run(EvalMethod::full, 0);
    QCOMPARE(std::ssize(full.answer), kMostTokens);
    for (const EvalMethod method :
         {EvalMethod::pop, EvalMethod::pop_no_boundary, EvalMethod::decode, EvalMethod::both}) {
      const TrialOutcome outcome = run(method, 0);
      QCOMPARE(outcome.loss, full.loss);
      QVERIFY(outcome.answer == full.answer);
    }
  }

  void methods_differ() {
    std::vector<double> losses = {run(EvalMethod::full, 0).loss};
    for (const EvalMethod method : {EvalMethod::pop, EvalMethod::pop_no_boundary, EvalMethod::decode}) {
      losses.push_back(run(method, 3).loss);
    }
    losses.push_back(run(EvalMethod::pop, 3, {Boundary::Kind::last, 1}).loss);
    for (size_t i = 0; i < losses.size(); ++i) {
      for (size_t j = 0; j < i; ++j) QVERIFY(std::abs(losses[i] - losses[j]) > 1e-4);
    }
  }

  void answers_end_at_a_stop_token_and_do_not_depend_on_chunks() {
    const TrialOutcome free = run(EvalMethod::pop, 2);
    const auto stop = free.answer[4];
    const auto first = std::find(free.answer.begin(), free.answer.end(), stop) - free.answer.begin();
    const TrialOutcome stopped = run(EvalMethod::pop, 2, kText, {stop});
    QCOMPARE(std::ssize(stopped.answer), first);
    const TrialOutcome chunked = run(EvalMethod::pop, 2, kText, {}, 7);
    QVERIFY(chunked.answer == free.answer);
    QCOMPARE(chunked.loss, free.loss);
  }

  void an_answer_past_the_context_is_refused() {
    AnswerSample sample = sample_for(*decoder_);
    sample.answer.resize(static_cast<size_t>(decoder_->spec().context), 1);
    AnswerTrials trials(decoder_, {}, decoder_->spec().vocab, 1024);
    const auto outcome = trials.run(sample, {}, 1, {});
    QVERIFY(!outcome.ok());
    QVERIFY(outcome.error().message.find("longer than the model's context") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(AnswerTrialTest)
#include "tst_answer_trial.moc"
