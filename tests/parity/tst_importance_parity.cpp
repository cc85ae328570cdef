// The gradients of all virtual gates against autograd's (tests/reference/gate_goldens.py) on the tiny checkpoints, and
// against central differences of losses that our own gates give.
#include <cmath>
#include <map>

#include <QtTest>
#include <nlohmann/json.hpp>

#include "engine/base/memory_map.h"
#include "engine/pop/importance/gate_gradients.h"
#include "tests/parity/golden_case.h"

using namespace poplens;
using namespace poplens::test;

namespace {

constexpr double kMostGradientError = 1e-4;    // of the largest of its kind
constexpr double kMostDifferenceError = 1e-2;  // of the largest of its kind
constexpr double kMostLossError = 1e-5;        // relative
constexpr const char* kAnswer = "Two red circles and 7 more.";
constexpr float kStep = 1.0F / 256;

struct GateCase {
  std::string model;  // family/checkpoint
  std::string name;
  std::vector<int32_t> answer;
  int64_t text_from = 0;
  int64_t decode_from = 0;
  double loss = 0.0;
  std::vector<ClassSums> attention;  // [layers]
  std::vector<ClassSums> ffn;
};

std::vector<GateCase> read_gate_cases() {
  const auto map = MemoryMap::open(test_data("data/importance/gates.json"));
  if (!map.ok()) qFatal("%s", map.error().message.c_str());
  const auto* text = reinterpret_cast<const char*>(map->bytes().data());
  std::vector<GateCase> cases;
  const auto document = nlohmann::json::parse(text, text + map->bytes().size());
  for (const auto& entry : document.at("cases")) {
    cases.push_back({entry.at("model"), entry.at("case"), entry.at("answer"), entry.at("text_from"),
                     entry.at("decode_from"), entry.at("loss"), entry.at("attention"), entry.at("ffn")});
  }
  return cases;
}

template <typename T>
T or_die(Result<T> result) {
  if (!result.ok()) qFatal("%s", result.error().message.c_str());
  return std::move(result).value();
}

const EncodeProgress nobody_looks{
    .started = [](Stage) {}, .finished = [](Stage, double) {}, .progress = [](Stage, int64_t, int64_t) {}};

double largest(const std::vector<ClassSums>& values, size_t part) {
  double most = 0.0;
  for (const ClassSums& sums : values) most = std::max(most, std::abs(sums[part]));
  return most;
}

// A stage under one of the two boundaries: the classes of positions that it is made of.
struct StageClasses {
  const char* name;
  bool decode;
  bool text;
  std::vector<PositionClass> classes;
};
const StageClasses kStages[] = {{"prefill, last", false, false, {PositionClass::picture, PositionClass::text}},
                                {"decode, last", true, false, {PositionClass::answer}},
                                {"prefill, text", false, true, {PositionClass::picture}},
                                {"decode, text", true, true, {PositionClass::text, PositionClass::answer}}};

}  // namespace

class ImportanceParity : public QObject {
  Q_OBJECT

  std::vector<GateCase> cases_ = read_gate_cases();
  std::map<std::string, LoadedModel> models_;

  const LoadedModel& model_of(const GateCase& gate_case) {
    auto found = models_.find(gate_case.model);
    if (found == models_.end()) {
      const auto folder = test_data("data/" + gate_case.model);
      found = models_.emplace(gate_case.model, load_checkpoint(folder, DType::f32)).first;
    }
    return found->second;
  }

  AnswerSample sample_of(const GateCase& gate_case) {
    const LoadedModel& model = model_of(gate_case);
    for (const GoldenCase& golden : read_golden_cases(test_data("data/" + gate_case.model))) {
      if (golden.name != gate_case.name) continue;
      AnswerSample sample{.prompt = or_die(model.prompts->build(golden.prompt, model.encoder.get()))};
      sample.answer = model.prompts->tokenizer().encode(kAnswer, Tokenizer::Special::text);
      for (const PromptPicture& picture : sample.prompt.pictures) {
        sample.features.emplace_back(or_die(model.encoder->encode(picture.picture, nobody_looks, {})));
      }
      return sample;
    }
    return {};
  }

  void each_case(const std::function<bool(const GateCase&)>& wanted) {
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < cases_.size(); ++i) {
      if (wanted(cases_[i])) {
        QTest::newRow((cases_[i].model + " " + cases_[i].name).c_str()) << static_cast<int>(i);
      }
    }
  }
  const GateCase& fetched() const {
    QFETCH(int, index);
    return cases_[static_cast<size_t>(index)];
  }

 private slots:
  void autograd_data() {
    each_case([](const GateCase&) { return true; });
  }
  void autograd() {
    const GateCase& want = fetched();
    const LoadedModel& model = model_of(want);
    const AnswerSample sample = sample_of(want);
    const AnswerSequence sequence(sample, model.decoder->spec().image_attends_both_ways);
    QCOMPARE(sample.answer, want.answer);
    QCOMPARE(sequence.text_from(), want.text_from);
    QCOMPARE(sequence.decode_from(), want.decode_from);

    AnswerRunner runner(model.decoder);
    GateGradientPass pass(runner);
    const auto got = pass.run(sequence, {}, {});
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().message.c_str());
    QVERIFY2(std::abs(got->loss - want.loss) <= kMostLossError * want.loss, qPrintable(QString::number(got->loss)));
    double worst = 0.0;
    for (const auto& [ours, theirs] : {std::pair(&got->attention, &want.attention), std::pair(&got->ffn, &want.ffn)}) {
      QCOMPARE(ours->size(), theirs->size());
      for (size_t part = 0; part < kPositionClasses; ++part) {
        const double most = largest(*theirs, part);
        for (size_t layer = 0; layer < theirs->size(); ++layer) {
          const double error = std::abs((*ours)[layer][part] - (*theirs)[layer][part]);
          if (most > 0.0) worst = std::max(worst, error / most);
          QVERIFY2(error <= kMostGradientError * most, qPrintable(QString("layer %1, class %2: %3, not %4")
                                                                      .arg(layer)
                                                                      .arg(part)
                                                                      .arg((*ours)[layer][part])
                                                                      .arg((*theirs)[layer][part])));
        }
      }
    }
    qInfo("largest error %.1e of the largest of its kind", worst);
  }

  void central_differences_data() {
    each_case([](const GateCase& c) { return c.name == "one_image" || !c.model.starts_with("gemma3/"); });
  }
  void central_differences() {
    const GateCase& gate_case = fetched();
    const LoadedModel& model = model_of(gate_case);
    const AnswerSample sample = sample_of(gate_case);
    const AnswerSequence sequence(sample, model.decoder->spec().image_attends_both_ways);
    AnswerRunner runner(model.decoder);
    GateGradientPass pass(runner);
    const GateGradients gradients = or_die(pass.run(sequence, {}, {}));
    const int layers = model.decoder->spec().layer_count();
    for (const StageClasses& stage : kStages) {
      for (const bool ffn : {false, true}) {
        const auto gradient = [&](int layer) {
          double sum = 0.0;
          for (const PositionClass part : stage.classes) {
            sum += (ffn ? gradients.ffn : gradients.attention)[static_cast<size_t>(layer)][static_cast<size_t>(part)];
          }
          return sum;
        };
        const auto loss_at = [&](int layer, float gate) {
          VirtualGates gates = VirtualGates::open(layers, stage.text ? sequence.text_from() : sequence.decode_from());
          LayerGates& gates_of_layer = (stage.decode ? gates.decode : gates.prefill)[static_cast<size_t>(layer)];
          (ffn ? gates_of_layer.ffn : gates_of_layer.attention) = gate;
          return or_die(runner.loss(sequence, &gates, 0, {}));
        };
        double most = 0.0;
        for (int layer = 0; layer < layers; ++layer) most = std::max(most, std::abs(gradient(layer)));
        for (int layer = 0; layer < layers; layer += 3) {
          const auto difference = [&](float step) {
            return (loss_at(layer, 1.0F + step) - loss_at(layer, 1.0F - step)) / (2.0 * step);
          };
          // Richardson: what grows with the square of the step cancels.
          const double slope = (4.0 * difference(kStep / 2) - difference(kStep)) / 3.0;
          QVERIFY2(std::abs(slope - gradient(layer)) <= kMostDifferenceError * most,
                   qPrintable(QString("%1, %2 of layer %3: %4, by differences %5")
                                  .arg(stage.name, ffn ? "FFN" : "attention")
                                  .arg(layer)
                                  .arg(gradient(layer))
                                  .arg(slope)));
        }
      }
    }
  }
};

QTEST_APPLESS_MAIN(ImportanceParity)
#include "tst_importance_parity.moc"
