// The whole pipeline against transformers on tiny Qwen3-VL checkpoints: token ids, positions, vision features by stage,
// logits of every position, greedy answers, pruned prefills.
#include <QtTest>

#include "engine/session/memory_need.h"
#include "tests/parity/golden_case.h"
#include "vision/picture_encoder.h"
#include "vision/qwen3_vl_tower.h"

using namespace poplens;
using namespace poplens::test;

namespace {

constexpr double kMostNmse = 1e-9;
constexpr double kMostOverRms = 1e-3;
constexpr double kTie = 1e-4;  // a smaller gap between the reference's best two logits decides nothing

QString label(const GoldenCase& golden) {
  return QString::fromStdString(golden.checkpoint + " " + golden.name);
}

// Rows `rows` of [positions, vocab] values whose row i is position `first + i`.
std::vector<float> pick_rows(const std::vector<float>& values, int64_t first, std::span<const int64_t> rows,
                             int64_t vocab) {
  std::vector<float> picked;
  for (const int64_t row : rows) {
    const auto begin = values.begin() + (row - first) * vocab;
    picked.insert(picked.end(), begin, begin + vocab);
  }
  return picked;
}

}  // namespace

class QwenParity : public QObject {
  Q_OBJECT

 private:
  struct Checkpoint {
    LoadedModel f32;
    LoadedModel bf16;
    std::vector<GoldenCase> cases;
  };
  std::vector<Checkpoint> checkpoints_;

  const Checkpoint& checkpoint(const GoldenCase& golden) const {
    for (const Checkpoint& candidate : checkpoints_) {
      if (candidate.cases.front().checkpoint == golden.checkpoint) return candidate;
    }
    qFatal("no such checkpoint");
  }
  const GoldenCase& fetched_case() const {
    QFETCH(int, checkpoint_index);
    QFETCH(int, case_index);
    return checkpoints_[static_cast<size_t>(checkpoint_index)].cases[static_cast<size_t>(case_index)];
  }
  void add_case_rows() const {
    QTest::addColumn<int>("checkpoint_index");
    QTest::addColumn<int>("case_index");
    for (size_t c = 0; c < checkpoints_.size(); ++c) {
      for (size_t i = 0; i < checkpoints_[c].cases.size(); ++i) {
        QTest::newRow(qPrintable(label(checkpoints_[c].cases[i]))) << static_cast<int>(c) << static_cast<int>(i);
      }
    }
  }
  static GenerateRequest greedy_request(const GoldenCase& golden) {
    GenerateRequest request{.prompt = golden.prompt};
    request.max_tokens = static_cast<int64_t>(golden.greedy.tokens.size());
    return request;
  }
  // The same tokens, up to the first place where the reference itself is undecided.
  static void compare_greedy(const std::vector<int32_t>& actual, const GoldenGreedy& expected) {
    for (size_t i = 0; i < expected.tokens.size(); ++i) {
      if (expected.gaps[i] < kTie) return;
      QVERIFY2(i < actual.size(), qPrintable(QString("the answer ends after %1 tokens").arg(actual.size())));
      QCOMPARE(actual[i], expected.tokens[i]);
    }
  }

 private slots:
  void initTestCase() {
    for (const char* name : {"tiny-tied", "tiny-untied"}) {
      const auto folder = test_data(std::string("data/qwen3_vl/") + name);
      checkpoints_.push_back(
          {load_checkpoint(folder, DType::f32), load_checkpoint(folder, DType::bf16), read_golden_cases(folder)});
      // The answers go on past a stop token: what is compared is the model.
      auto open_ended = [](LoadedModel& model) {
        ModelConfig config = model.prompts->config();
        config.generation.stop_tokens.clear();
        model.prompts =
            std::make_shared<const PromptBuilder>(config, model.prompts->tokenizer(), model.prompts->chat_template());
      };
      open_ended(checkpoints_.back().f32);
      open_ended(checkpoints_.back().bf16);
    }
  }

  void prompt_data() { add_case_rows(); }
  void prompt() {
    const GoldenCase& golden = fetched_case();
    const LoadedModel& model = checkpoint(golden).f32;
    const auto built = model.prompts->build(golden.prompt, model.encoder.get());
    QVERIFY2(built.ok(), built.ok() ? "" : built.error().message.c_str());
    QCOMPARE(built->ids, golden.ids);
    std::vector<int64_t> shape;
    const std::vector<float> expected = golden.tensor("position_ids", &shape);
    const int64_t tokens = shape.back();
    for (int64_t t = 0; t < tokens; ++t) {
      for (int64_t axis = 0; axis < 3; ++axis) {
        QCOMPARE(built->positions[static_cast<size_t>(t)][static_cast<size_t>(axis)],
                 static_cast<int32_t>(expected[static_cast<size_t>(axis * tokens + t)]));
      }
    }
  }

  void vision_data() { add_case_rows(); }
  void vision() {
    const GoldenCase& golden = fetched_case();
    if (!golden.has_tensor("vision.merger")) return;
    const auto folder = golden.tensors.parent_path();
    const ModelConfig& config = checkpoint(golden).f32.prompts->config();
    auto checkpoint_file = ::poplens::Checkpoint::open(folder);
    QVERIFY(checkpoint_file.ok());
    const CheckpointSource source(*checkpoint_file);
    auto backend = open_device(DeviceChoice::cpu, 0);
    QVERIFY(backend.ok());
    const auto spec = read_qwen3_vl_vision_spec(*config.vision_config, config.decoder.hidden);
    QVERIFY(spec.ok());
    auto weights = load_qwen3_vl_tower(*spec, source, **backend);
    QVERIFY(weights.ok());
    const Qwen3VlTower tower(*spec, *weights, *backend, DType::f32);

    std::map<std::string, std::vector<float>> stages;
    const auto append = [&](const std::string& name, ConstMatrix x) {
      std::vector<float> values(static_cast<size_t>(x.rows * x.cols));
      (*backend)->read_back(x, values);
      auto& all = stages[name];
      all.insert(all.end(), values.begin(), values.end());
    };
    for (const Picture& picture : golden.prompt.pictures) {
      const auto pixels = read_picture_pixels(folder, config, picture, std::nullopt);
      QVERIFY(pixels.ok());
      auto& all = stages["pixel_values"];
      all.insert(all.end(), pixels->values.begin(), pixels->values.end());
      const auto read = [&](int64_t first, int64_t count, std::span<float> out) {
        std::copy_n(pixels->values.begin() + first * pixels->shape.back(), count * pixels->shape.back(), out.begin());
      };
      const auto on_block = [&](int block, ConstMatrix x) {
        append(block == 0 ? "vision.embedding" : "vision.block." + std::to_string(block - 1), x);
      };
      const auto features = tower.run(read, pixels->grid_h, pixels->grid_w, on_block, {});
      QVERIFY(features.ok());
      append("vision.merger", features->main.view());
      for (size_t i = 0; i < features->deepstack.size(); ++i) {
        append("vision.deepstack." + std::to_string(i), features->deepstack[i].view());
      }
    }
    if (golden.has_tensor("pixel_values")) QCOMPARE(stages["pixel_values"], golden.tensor("pixel_values"));
    for (const auto& [name, values] : stages) {
      if (name == "pixel_values") continue;
      const Difference difference = compare(values, golden.tensor(name));
      QVERIFY2(difference.nmse <= kMostNmse, qPrintable(QString("%1: NMSE %2").arg(name.c_str()).arg(difference.nmse)));
    }
  }

  void logits_data() { add_case_rows(); }
  void logits() {
    const GoldenCase& golden = fetched_case();
    const LoadedModel& model = checkpoint(golden).f32;
    const int64_t vocab = model.decoder->spec().vocab;
    std::vector<float> whole;
    for (const int64_t chunk : {1024, 7, 64, 1000}) {
      const auto result = make_session(model, chunk).logits(golden.prompt, {});
      QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
      if (whole.empty()) {
        const bool is_long = golden.ids.size() > 512;
        const Difference difference =
            compare(pick_rows(result->values, 0, golden.logits_rows, vocab), golden.tensor("logits"));
        qInfo("NMSE %.2e max/rms %.2e", difference.nmse, difference.max_over_rms);
        QVERIFY(difference.nmse <= std::max(kMostNmse, is_long ? 10 * golden.f32_noise_nmse : 0.0));
        QVERIFY(difference.max_over_rms <= std::max(kMostOverRms, is_long ? 10 * golden.f32_noise_max : 0.0));
        whole = result->values;
      }
      QVERIFY2(result->values == whole, qPrintable(QString("chunks of %1 give other bits").arg(chunk)));
    }
  }

  void greedy_data() { add_case_rows(); }
  void greedy() {
    const GoldenCase& golden = fetched_case();
    const auto answer = make_session(checkpoint(golden).f32).generate(greedy_request(golden));
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message.c_str());
    compare_greedy(answer->tokens, golden.greedy);
  }

  void bf16() {
    for (const Checkpoint& checkpoint : checkpoints_) {
      double ours = 0.0;
      double theirs = 0.0;
      for (const GoldenCase& golden : checkpoint.cases) {
        const auto result = make_session(checkpoint.bf16).logits(golden.prompt, {});
        QVERIFY(result.ok());
        const int64_t vocab = checkpoint.bf16.decoder->spec().vocab;
        ours += compare(pick_rows(result->values, 0, golden.logits_rows, vocab), golden.tensor("logits")).nmse;
        theirs += golden.bf16_nmse;
      }
      qInfo("%s: bf16 NMSE against f32, summed over cases: ours %.3e, transformers' %.3e",
            checkpoint.cases.front().checkpoint.c_str(), ours, theirs);
      QVERIFY(ours <= 1.5 * theirs);
    }
  }

  void pop_data() {
    QTest::addColumn<int>("checkpoint_index");
    QTest::addColumn<int>("case_index");
    QTest::addColumn<int>("pop_index");
    for (size_t c = 0; c < checkpoints_.size(); ++c) {
      for (size_t i = 0; i < checkpoints_[c].cases.size(); ++i) {
        const GoldenCase& golden = checkpoints_[c].cases[i];
        for (size_t p = 0; p < golden.pop.size(); ++p) {
          QTest::newRow(qPrintable(label(golden) + " " + QString::fromStdString(golden.pop[p].tensor)))
              << static_cast<int>(c) << static_cast<int>(i) << static_cast<int>(p);
        }
      }
    }
  }
  void pop() {
    const GoldenCase& golden = fetched_case();
    QFETCH(int, pop_index);
    const GoldenPop& pop = golden.pop[static_cast<size_t>(pop_index)];
    const LoadedModel& model = checkpoint(golden).f32;
    const int layers = model.decoder->spec().layer_count();
    auto plan = PopPlan::of_layers(layers, pop.layers, *parse_boundary(pop.boundary));
    QVERIFY(plan.ok());
    const std::vector<float> expected = golden.tensor(pop.tensor);
    for (const bool plain : {false, true}) {
      plan->per_layer_kv = plain;
      plan->separate_boundary = plain;
      for (const int64_t chunk : {1024, 7, 64}) {
        const auto result = make_session(model, chunk).logits(golden.prompt, *plan);
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
        QCOMPARE(result->rows, pop.rows);
        const Difference difference = compare(result->values, expected);
        QVERIFY2(difference.nmse <= kMostNmse && difference.max_over_rms <= kMostOverRms,
                 qPrintable(QString("plain %1, chunk %2: NMSE %3, max/rms %4")
                                .arg(plain)
                                .arg(chunk)
                                .arg(difference.nmse)
                                .arg(difference.max_over_rms)));
      }
      GenerateRequest request = greedy_request(golden);
      request.plan = *plan;
      const auto answer = make_session(model).generate(request);
      QVERIFY(answer.ok());
      compare_greedy(answer->tokens, pop.greedy);
    }
  }
};

QTEST_APPLESS_MAIN(QwenParity)
#include "tst_qwen3_vl_parity.moc"
