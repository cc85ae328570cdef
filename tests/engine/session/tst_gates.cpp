// Virtual gates in the decoder: at 1 they are not there, at 0 for the prefill they are a plan, and each acts on its own
// branch, layer and stage alone.
#include <algorithm>
#include <cmath>

#include <QtTest>

#include "tests/engine/session/random_decoder.h"

using namespace poplens;
using namespace poplens::test;

namespace {

constexpr int kLayers = 6;
constexpr int64_t kTokens = 100;
constexpr int64_t kBoundary = 70;  // the pictures' end: every boundary kind can begin here
const std::vector<std::vector<int>> kLayerSets{{5},      {4, 5}, {2, 3, 4, 5}, {1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5},
                                               {1, 3, 4}};

VirtualGates closed(const std::vector<int>& layers, int64_t decode_from) {
  VirtualGates gates = VirtualGates::open(kLayers, decode_from);
  for (const int layer : layers) gates.prefill[static_cast<size_t>(layer)] = {0.0F, 0.0F};
  return gates;
}

PopPlan plan_of(const std::vector<int>& layers, bool per_layer_kv) {
  PopPlan plan = *PopPlan::of_layers(kLayers, layers, {Boundary::Kind::count, kTokens - kBoundary});
  plan.per_layer_kv = per_layer_kv;
  return plan;
}

bool same_bits(const PrefillResult& a, const PrefillResult& b) {
  return a.logits == b.logits && a.keys == b.keys && a.values == b.values;
}

double nmse(const std::vector<float>& actual, const std::vector<float>& expected) {
  double error = 0.0;
  double power = 0.0;
  for (size_t i = 0; i < expected.size(); ++i) {
    error += std::pow(static_cast<double>(actual[i]) - expected[i], 2);
    power += std::pow(static_cast<double>(expected[i]), 2);
  }
  return error / power;
}

// The first row of a layer's keys that two runs do not share; kTokens if they share all.
int64_t first_difference(const PrefillResult& a, const PrefillResult& b, int layer) {
  const auto& left = a.keys[static_cast<size_t>(layer)];
  const auto& right = b.keys[static_cast<size_t>(layer)];
  const auto at = std::mismatch(left.begin(), left.end(), right.begin()).first - left.begin();
  return at / (static_cast<int64_t>(left.size()) / kTokens);
}

}  // namespace

class GatesTest : public QObject {
  Q_OBJECT

  struct Kind {
    const char* name;
    RandomDecoderOptions options;
    std::vector<TokenSpan> pictures;
  };
  const std::vector<Kind> kinds_{{"DeepStack", {}, {{5, 20}, {31, kBoundary}}},
                                 {"text", {.deepstack_layers = 0}, {}},
                                 {"post norms, pictures both ways",
                                  {.deepstack_layers = 0, .both_ways = true, .post_norms = true},
                                  {{5, 20}, {31, kBoundary}}}};

  void each_kind() {
    QTest::addColumn<int>("kind");
    for (size_t i = 0; i < kinds_.size(); ++i) QTest::newRow(kinds_[i].name) << static_cast<int>(i);
  }
  const Kind& fetched() const {
    QFETCH(int, kind);
    return kinds_[static_cast<size_t>(kind)];
  }
  static std::shared_ptr<Decoder> make(const Kind& kind, DType activations) {
    RandomDecoderOptions options = kind.options;
    options.activations = activations;
    return random_decoder(options);
  }

 private slots:
  void open_gates_change_no_bit_data() { each_kind(); }
  void open_gates_change_no_bit() {
    const auto decoder = make(fetched(), DType::f32);
    const RandomPrompt prompt = random_prompt(*decoder, kTokens, fetched().pictures);
    const PrefillResult plain = prefill(*decoder, prompt, {});
    const VirtualGates open = VirtualGates::open(kLayers, kBoundary);
    for (const int64_t chunk : {1024, 30}) {
      QVERIFY(same_bits(prefill(*decoder, prompt, {.chunk_tokens = chunk, .gates = &open}), plain));
    }
    QVERIFY(same_bits(prefill(*decoder, prompt, {}), plain));
  }

  void closed_gates_are_a_plan_data() { each_kind(); }
  void closed_gates_are_a_plan() {
    for (const DType type : {DType::f32, DType::bf16}) {
      const auto decoder = make(fetched(), type);
      const RandomPrompt prompt = random_prompt(*decoder, kTokens, fetched().pictures);
      for (const auto& layers : kLayerSets) {
        const VirtualGates gates = closed(layers, kBoundary);
        const PrefillResult gated = prefill(*decoder, prompt, {.outputs_from = 0, .gates = &gates});
        const PrefillResult pruned = prefill(*decoder, prompt, {.plan = plan_of(layers, /*per_layer_kv=*/true)});
        if (type == DType::f32) QVERIFY(same_bits(gated, pruned));
        const PrefillResult stacked = prefill(*decoder, prompt, {.plan = plan_of(layers, /*per_layer_kv=*/false)});
        const double most = type == DType::f32 ? 1e-9 : 1e-2;
        QVERIFY(nmse(gated.logits, pruned.logits) <= most && nmse(gated.logits, stacked.logits) <= most);
        QVERIFY(nmse(gated.keys.back(), stacked.keys.back()) <= most);
      }
    }
  }

  void closed_and_open_gates_differ() {
    const auto decoder = make(kinds_[0], DType::f32);
    const RandomPrompt prompt = random_prompt(*decoder, kTokens, kinds_[0].pictures);
    const VirtualGates gates = closed({3}, kBoundary);
    QVERIFY(nmse(prefill(*decoder, prompt, {.gates = &gates}).logits, prefill(*decoder, prompt, {}).logits) > 1e-6);
  }

  // A gate moves nothing in the layers up to its own, nor before its stage; everything behind it moves.
  void a_gate_acts_where_it_stands_data() { each_kind(); }
  void a_gate_acts_where_it_stands() {
    constexpr int kGated = 2;
    const auto decoder = make(fetched(), DType::f32);
    const RandomPrompt prompt = random_prompt(*decoder, kTokens, fetched().pictures);
    const PrefillResult plain = prefill(*decoder, prompt, {.outputs_from = 0});
    std::vector<std::vector<float>> seen;
    for (const bool in_prefill : {true, false}) {
      for (float LayerGates::*branch : {&LayerGates::attention, &LayerGates::ffn}) {
        VirtualGates gates = VirtualGates::open(kLayers, kBoundary);
        (in_prefill ? gates.prefill : gates.decode)[kGated].*branch = 0.5F;
        const PrefillResult gated = prefill(*decoder, prompt, {.outputs_from = 0, .gates = &gates});
        QCOMPARE(first_difference(gated, plain, kGated), kTokens);
        QCOMPARE(first_difference(gated, plain, kGated + 1), in_prefill ? 0 : kBoundary);
        QVERIFY(std::ranges::find(seen, gated.logits) == seen.end());
        seen.push_back(gated.logits);
      }
    }
  }

  // What is added is proportional to the gate: in the layer behind it, before its norm.
  void a_gate_is_a_factor() {
    const auto decoder = make(kinds_[2], DType::f32);
    const RandomPrompt prompt = random_prompt(*decoder, kTokens, {});
    const auto residual_at = [&](float gate) {
      VirtualGates gates = VirtualGates::open(kLayers, kTokens);
      gates.prefill.back().ffn = gate;
      prefill(*decoder, prompt, {.outputs_from = 0, .gates = &gates});
      std::vector<float> values(static_cast<size_t>(kTokens * decoder->spec().hidden));
      decoder->residual(0, kTokens, values);
      return values;
    };
    const auto none = residual_at(0.0F);
    const auto whole = residual_at(1.0F);
    const auto part = residual_at(-0.75F);
    for (size_t i = 0; i < none.size(); ++i) {
      QVERIFY(std::abs((part[i] - none[i]) + 0.75F * (whole[i] - none[i])) < 1e-5F);
    }
  }
};

QTEST_APPLESS_MAIN(GatesTest)
#include "tst_gates.moc"
