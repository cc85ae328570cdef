// Losses of answers under gates, measured ablation, and answers drawn from the model, on a small random decoder.
#include <cmath>

#include <QtTest>

#include "engine/pop/importance/ablation.h"
#include "engine/pop/importance/answer_loss.h"
#include "engine/pop/importance/gate_gradients.h"
#include "engine/pop/importance/suffix_rises.h"
#include "tests/engine/session/random_decoder.h"

using namespace poplens;
using namespace poplens::test;

namespace {

constexpr int kLayers = 6;
constexpr int64_t kTokens = 60;
const std::vector<int32_t> kAnswer{3, 14, 15, 9};

template <typename T>
T or_die(Result<T> result) {
  if (!result.ok()) qFatal("%s", result.error().message.c_str());
  return std::move(result).value();
}

}  // namespace

class AnswerRunnerTest : public QObject {
  Q_OBJECT

  std::shared_ptr<Decoder> decoder_ = random_decoder({});

  AnswerSample sample(std::vector<TokenSpan> pictures) const {
    RandomPrompt random = random_prompt(*decoder_, kTokens, std::move(pictures));
    random.prompt.next_position = kTokens;
    return {std::move(random.prompt), std::move(random.features), kAnswer};
  }
  AnswerSample with_picture() const { return sample({{10, 40}}); }

 private slots:
  void negative_log_likelihood_is_the_softmax() {
    std::vector<float> logits{0.5F, -1.0F, 2.0F, 0.0F};
    double sum = 0.0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
    const double expected = std::log(sum) - 2.0;
    QVERIFY(std::abs(negative_log_likelihood(logits, 2) - expected) < 1e-12);
    std::vector<float> gradient = logits;
    QVERIFY(std::abs(negative_log_likelihood_gradient(gradient, 2) - expected) < 1e-12);
    for (size_t i = 0; i < logits.size(); ++i) {
      const double softmax = std::exp(static_cast<double>(logits[i])) / sum;
      QVERIFY(std::abs(gradient[i] - (softmax - (i == 2 ? 1.0 : 0.0))) < 1e-7);
    }
    // A sure answer: what is left of the gradient is not lost in 1 - 1.
    std::vector<float> sure{0.0F, 30.0F};
    negative_log_likelihood_gradient(sure, 1);
    QVERIFY(std::abs(sure[1] / -std::exp(-30.0) - 1.0) < 1e-5);
  }

  void boundaries_and_positions() {
    const AnswerSample picture = with_picture();
    const AnswerSequence sequence(picture, false);
    QCOMPARE(sequence.tokens(), kTokens + 3);
    QCOMPARE(sequence.text_from(), 40);
    QCOMPARE(sequence.decode_from(), kTokens - 1);
    QCOMPARE(sequence.answer_from(), kTokens - 1);
    QCOMPARE(sequence.positions().back()[0], static_cast<int32_t>(kTokens + 2));
    QCOMPARE(sequence.chunk(20).pictures.size(), size_t{1});
    QCOMPARE(sequence.chunk(20).pictures[0].main.rows, 20);
    QVERIFY(sequence.chunk(40).pictures.empty());
    const AnswerSample text = sample({});
    QCOMPARE(AnswerSequence(text, false).text_from(), kTokens - 1);
    const AnswerSample at_the_end = sample({{30, kTokens}});
    QCOMPARE(AnswerSequence(at_the_end, false).decode_from(), 30);
  }

  void the_loss_is_that_of_the_gradient_pass() {
    const AnswerSample picture = with_picture();
    const AnswerSequence sequence(picture, false);
    AnswerRunner runner(decoder_);
    GateGradientPass pass(runner);
    int64_t layers = 0;
    const auto gradients =
        or_die(pass.run(sequence, [&](int64_t done, int64_t total) { layers = total == 2 * kLayers ? done : -1; }, {}));
    QCOMPARE(layers, 2 * kLayers);
    QCOMPARE(gradients.loss, or_die(runner.loss(sequence, nullptr, 0, {})));
    // Nobody reads what the last layer puts out at prefill positions.
    for (const auto* branch : {&gradients.attention, &gradients.ffn}) {
      QCOMPARE(branch->back()[0], 0.0);
      QCOMPARE(branch->back()[1], 0.0);
      QVERIFY(branch->back()[2] != 0.0);
    }
  }

  // Decode gates are measured from the cache on: the same as running everything.
  void ablation_is_the_loss_with_a_gate_closed() {
    for (const AnswerSample& each : {with_picture(), sample({})}) {
      const AnswerSequence sequence(each, false);
      AnswerRunner runner(decoder_);
      const AblationRises rises = or_die(measure_ablation(runner, sequence, Closed::one_layer, {}, {}));
      const AblationRises suffixes = or_die(measure_ablation(runner, sequence, Closed::suffix, {}, {}));
      const double whole = or_die(runner.loss(sequence, nullptr, 0, {}));
      for (const GateStage stage : kAllGateStages) {
        const bool text = stage == GateStage::prefill_text || stage == GateStage::decode_text;
        const bool decode = stage == GateStage::decode || stage == GateStage::decode_text;
        for (int layer = 0; layer < kLayers; ++layer) {
          VirtualGates gates = VirtualGates::open(kLayers, text ? sequence.text_from() : sequence.decode_from());
          (decode ? gates.decode : gates.prefill)[static_cast<size_t>(layer)] = {0.0F, 0.0F};
          const double rise = or_die(runner.loss(sequence, &gates, 0, {})) - whole;
          QCOMPARE(rises[static_cast<size_t>(stage)][static_cast<size_t>(layer)], rise);
          for (int behind = layer; behind < kLayers; ++behind) {
            (decode ? gates.decode : gates.prefill)[static_cast<size_t>(behind)] = {0.0F, 0.0F};
          }
          if (!decode) continue;
          const double suffix_rise = or_die(runner.loss(sequence, &gates, 0, {})) - whole;
          QCOMPARE(suffixes[static_cast<size_t>(stage)][static_cast<size_t>(kLayers - 1 - layer)], suffix_rise);
        }
      }
      // Those are measured from the middle on, below.
      QVERIFY(suffixes[static_cast<size_t>(GateStage::prefill)].empty());
      QVERIFY(suffixes[static_cast<size_t>(GateStage::prefill_text)].empty());
      QCOMPARE(rises[static_cast<size_t>(GateStage::prefill)].back(), 0.0);
      QVERIFY(rises[static_cast<size_t>(GateStage::decode)].back() != 0.0);
    }
  }

  // Each depth begins at its first pruned layer: the same bits as the whole prefill with the gates closed.
  void suffixes_begun_in_the_middle() {
    for (const auto& [kind, pictures] : std::vector<std::pair<RandomDecoderOptions, std::vector<TokenSpan>>>{
             {{}, {{10, 40}}},
             {{}, {}},
             {{}, {{0, 3}, {20, 30}}},
             {{}, {{30, kTokens}}},
             {{.deepstack_layers = 0, .both_ways = true, .post_norms = true}, {{5, 20}, {22, 40}}}}) {
      const auto decoder = random_decoder(kind);
      RandomPrompt random = random_prompt(*decoder, kTokens, pictures);
      random.prompt.next_position = kTokens;
      const AnswerSample each{std::move(random.prompt), std::move(random.features), kAnswer};
      const AnswerSequence sequence(each, kind.both_ways);
      AnswerRunner runner(decoder);
      GateGradientPass pass(runner);
      const double whole = or_die(pass.run(sequence, {}, {})).loss;
      int64_t depths = 0;
      const bool one_boundary = sequence.text_from() == sequence.decode_from();
      const int64_t expected = one_boundary ? kLayers : 2 * kLayers;
      const AblationRises rises = or_die(
          measure_suffix_rises(runner, pass, sequence, whole,
                               [&](int64_t done, int64_t total) { depths = total == expected ? done : -1; }, {}));
      QCOMPARE(depths, expected);
      QVERIFY(rises[static_cast<size_t>(GateStage::decode)].empty());
      QVERIFY(rises[static_cast<size_t>(GateStage::decode_text)].empty());
      for (const GateStage stage : {GateStage::prefill, GateStage::prefill_text}) {
        const std::vector<double>& found = rises[static_cast<size_t>(stage)];
        QCOMPARE(found.size(), size_t{kLayers});
        const int64_t decode_from = stage == GateStage::prefill ? sequence.decode_from() : sequence.text_from();
        VirtualGates gates = VirtualGates::open(kLayers, decode_from);
        for (size_t depth = 1; depth <= found.size(); ++depth) {
          gates.prefill[found.size() - depth] = {0.0F, 0.0F};
          QCOMPARE(found[depth - 1], or_die(runner.loss(sequence, &gates, 0, {})) - whole);
        }
        QCOMPARE(found[0], 0.0);
        QVERIFY(found.back() != 0.0);
      }
    }
  }

  void a_stop_ends_within_a_layer() {
    const AnswerSample picture = with_picture();
    const AnswerSequence sequence(picture, false);
    AnswerRunner runner(decoder_);
    GateGradientPass pass(runner);
    for (int64_t stop_at = 1; stop_at < 2 * kLayers; ++stop_at) {
      std::stop_source stop;
      int64_t layers = 0;
      const auto stopped = pass.run(
          sequence,
          [&](int64_t done, int64_t) {
            layers = done;
            if (done == stop_at) stop.request_stop();
          },
          stop.get_token());
      QVERIFY(!stopped.ok() && stopped.error().cancelled);
      QVERIFY(layers <= stop_at + 1);
    }
  }

  void drawn_answers() {
    AnswerRunner runner(decoder_);
    const AnswerSample picture = with_picture();
    const auto drawn = or_die(runner.draw(picture, 6, 11, {}));
    QCOMPARE(drawn.size(), size_t{6});
    QCOMPARE(or_die(runner.draw(picture, 6, 11, {})), drawn);
    QVERIFY(or_die(runner.draw(picture, 6, 12, {})) != drawn);
  }

  // The first token of many draws against the softmax of the prompt's last logits.
  void drawn_tokens_follow_the_model() {
    constexpr int kDraws = 400;
    AnswerRunner runner(decoder_);
    const AnswerSample text = sample({});
    std::vector<double> share(static_cast<size_t>(decoder_->spec().vocab), 0.0);
    for (int i = 0; i < kDraws; ++i) {
      share[static_cast<size_t>(or_die(runner.draw(text, 1, static_cast<uint64_t>(i), {})).front())] += 1.0 / kDraws;
    }
    for (size_t id = 0; id < share.size(); ++id) {
      AnswerSample one = text;
      one.answer = {static_cast<int32_t>(id)};
      const double p = std::exp(-or_die(runner.loss(AnswerSequence(one, false), nullptr, 0, {})));
      QVERIFY2(std::abs(share[id] - p) <= 5 * std::sqrt(p / kDraws) + 0.01,
               qPrintable(QString("%1: %2, not %3").arg(id).arg(share[id]).arg(p)));
    }
  }
};

QTEST_APPLESS_MAIN(AnswerRunnerTest)
#include "tst_answer_runner.moc"
