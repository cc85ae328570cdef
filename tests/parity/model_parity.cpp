#include "tests/parity/model_parity.h"

#include <functional>

#include <QtTest>

namespace poplens::test {
namespace {

constexpr double kMostNmse = 1e-9;
constexpr double kMostOverRms = 1e-3;
constexpr double kTie = 1e-4;  // a smaller gap between the reference's best two logits decides nothing
constexpr size_t kLongTokens = 512;

QString label(const GoldenCase& golden) {
  return QString::fromStdString(golden.checkpoint + " " + golden.name);
}

// Rows `rows` of [positions, vocab] values whose row i is position i.
std::vector<float> pick_rows(const std::vector<float>& values, std::span<const int64_t> rows, int64_t vocab) {
  std::vector<float> picked;
  for (const int64_t row : rows) {
    const auto begin = values.begin() + row * vocab;
    picked.insert(picked.end(), begin, begin + vocab);
  }
  return picked;
}

GenerateRequest greedy_request(const GoldenCase& golden) {
  GenerateRequest request{.prompt = golden.prompt};
  request.max_tokens = static_cast<int64_t>(golden.greedy.tokens.size());
  return request;
}

// The same tokens, up to the first place where the reference itself is undecided.
void compare_greedy(const std::vector<int32_t>& actual, const GoldenGreedy& expected) {
  for (size_t i = 0; i < expected.tokens.size(); ++i) {
    if (expected.gaps[i] < kTie) return;
    QVERIFY2(i < actual.size(), qPrintable(QString("the answer ends after %1 tokens").arg(actual.size())));
    QCOMPARE(actual[i], expected.tokens[i]);
  }
}

// The answers go on past a stop token: what is compared is the model.
LoadedModel open_ended(LoadedModel model) {
  ModelConfig config = model.prompts->config();
  config.generation.stop_tokens.clear();
  model.prompts =
      std::make_shared<const PromptBuilder>(config, model.prompts->tokenizer(), model.prompts->chat_template());
  return model;
}

}  // namespace

struct ModelParity::Checkpoint {
  LoadedModel f32;
  LoadedModel bf16;
  std::vector<GoldenCase> cases;

  // One row of test data for each case that is wanted.
  static void add_rows(const std::vector<Checkpoint>& checkpoints,
                       const std::function<bool(const GoldenCase&)>& wanted) {
    QTest::addColumn<int>("checkpoint_index");
    QTest::addColumn<int>("case_index");
    for (size_t c = 0; c < checkpoints.size(); ++c) {
      for (size_t i = 0; i < checkpoints[c].cases.size(); ++i) {
        const GoldenCase& golden = checkpoints[c].cases[i];
        if (wanted(golden)) QTest::newRow(qPrintable(label(golden))) << static_cast<int>(c) << static_cast<int>(i);
      }
    }
  }
  static bool every_case(const GoldenCase&) { return true; }
};

ModelParity::ModelParity(std::string family, std::vector<std::string> checkpoints)
    : family_(std::move(family)), names_(std::move(checkpoints)) {}
ModelParity::~ModelParity() = default;

Result<void> ModelParity::run_tower(const ModelConfig&, const WeightSource&, const std::shared_ptr<Backend>&,
                                    const std::vector<PicturePixels>&, VisionStages&) const {
  return Error{"this family has no vision tower"};
}

void ModelParity::append(VisionStages& stages, const std::string& name, Backend& backend, ConstMatrix rows) {
  std::vector<float> values(static_cast<size_t>(rows.rows * rows.cols));
  backend.read_back(rows, values);
  auto& all = stages[name];
  all.insert(all.end(), values.begin(), values.end());
}

std::string ModelParity::stage_before_block(int block) {
  return block == 0 ? "vision.embedding" : "vision.block." + std::to_string(block - 1);
}

const ModelParity::Checkpoint& ModelParity::fetched_checkpoint() const {
  QFETCH(int, checkpoint_index);
  return checkpoints_[static_cast<size_t>(checkpoint_index)];
}

const GoldenCase& ModelParity::fetched_case() const {
  QFETCH(int, case_index);
  return fetched_checkpoint().cases[static_cast<size_t>(case_index)];
}

void ModelParity::initTestCase() {
  for (const std::string& name : names_) {
    const auto folder = test_data("data/" + family_ + "/" + name);
    checkpoints_.push_back({open_ended(load_checkpoint(folder, DType::f32)),
                            open_ended(load_checkpoint(folder, DType::bf16)), read_golden_cases(folder)});
  }
}

void ModelParity::prompt_data() {
  Checkpoint::add_rows(checkpoints_, Checkpoint::every_case);
}
void ModelParity::prompt() {
  const GoldenCase& golden = fetched_case();
  const LoadedModel& model = fetched_checkpoint().f32;
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

void ModelParity::vision_data() {
  const auto has_stages = [](const GoldenCase& golden) { return golden.has_tensor("vision.embedding"); };
  Checkpoint::add_rows(checkpoints_, has_stages);
  bool any = false;
  for (const Checkpoint& checkpoint : checkpoints_) any |= std::ranges::any_of(checkpoint.cases, has_stages);
  if (!any) QSKIP("a family without pictures");
}
void ModelParity::vision() {
  const GoldenCase& golden = fetched_case();
  const auto folder = golden.tensors.parent_path();
  const ModelConfig& config = fetched_checkpoint().f32.prompts->config();
  auto checkpoint_file = ::poplens::Checkpoint::open(folder);
  QVERIFY(checkpoint_file.ok());
  auto backend = open_device(DeviceChoice::cpu, 0);
  QVERIFY(backend.ok());

  std::vector<PicturePixels> pictures;
  std::vector<float> pixel_values;
  for (const Picture& picture : golden.prompt.pictures) {
    auto pixels = read_picture_pixels(folder, config, picture, std::nullopt);
    QVERIFY2(pixels.ok(), pixels.ok() ? "" : pixels.error().message.c_str());
    pixel_values.insert(pixel_values.end(), pixels->values.begin(), pixels->values.end());
    pictures.push_back(std::move(*pixels));
  }
  if (golden.has_tensor("pixel_values")) QCOMPARE(pixel_values, golden.tensor("pixel_values"));

  VisionStages stages;
  const auto run = run_tower(config, CheckpointSource(*checkpoint_file), *backend, pictures, stages);
  QVERIFY2(run.ok(), run.ok() ? "" : run.error().message.c_str());
  QVERIFY(stages.size() > 2);
  for (const auto& [name, values] : stages) {
    const Difference difference = compare(values, golden.tensor(name));
    QVERIFY2(difference.nmse <= kMostNmse, qPrintable(QString("%1: NMSE %2").arg(name.c_str()).arg(difference.nmse)));
  }
}

void ModelParity::logits_data() {
  Checkpoint::add_rows(checkpoints_, Checkpoint::every_case);
}
void ModelParity::logits() {
  const GoldenCase& golden = fetched_case();
  const LoadedModel& model = fetched_checkpoint().f32;
  const int64_t vocab = model.decoder->spec().vocab;
  std::vector<float> whole;
  for (const int64_t chunk : {1024, 7, 64, 1000}) {
    const auto result = make_session(model, chunk).logits(golden.prompt, {});
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
    if (whole.empty()) {
      const bool is_long = golden.ids.size() > kLongTokens;
      const Difference difference =
          compare(pick_rows(result->values, golden.logits_rows, vocab), golden.tensor("logits"));
      qInfo("NMSE %.2e max/rms %.2e", difference.nmse, difference.max_over_rms);
      QVERIFY(difference.nmse <= std::max(kMostNmse, is_long ? 10 * golden.f32_noise_nmse : 0.0));
      QVERIFY(difference.max_over_rms <= std::max(kMostOverRms, is_long ? 10 * golden.f32_noise_max : 0.0));
      whole = result->values;
    }
    QVERIFY2(result->values == whole, qPrintable(QString("chunks of %1 give other bits").arg(chunk)));
  }
}

void ModelParity::greedy_data() {
  Checkpoint::add_rows(checkpoints_, Checkpoint::every_case);
}
void ModelParity::greedy() {
  const GoldenCase& golden = fetched_case();
  const auto answer = make_session(fetched_checkpoint().f32).generate(greedy_request(golden));
  QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message.c_str());
  compare_greedy(answer->tokens, golden.greedy);
}

void ModelParity::bf16() {
  for (const Checkpoint& checkpoint : checkpoints_) {
    double ours = 0.0;
    double theirs = 0.0;
    for (const GoldenCase& golden : checkpoint.cases) {
      const auto result = make_session(checkpoint.bf16).logits(golden.prompt, {});
      QVERIFY(result.ok());
      const int64_t vocab = checkpoint.bf16.decoder->spec().vocab;
      ours += compare(pick_rows(result->values, golden.logits_rows, vocab), golden.tensor("logits")).nmse;
      theirs += golden.bf16_nmse;
    }
    qInfo("%s: bf16 NMSE against f32, summed over cases: ours %.3e, transformers' %.3e",
          checkpoint.cases.front().checkpoint.c_str(), ours, theirs);
    QVERIFY(ours <= 1.5 * theirs);
  }
}

void ModelParity::pop_data() {
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
void ModelParity::pop() {
  const GoldenCase& golden = fetched_case();
  QFETCH(int, pop_index);
  const GoldenPop& pop = golden.pop[static_cast<size_t>(pop_index)];
  const LoadedModel& model = fetched_checkpoint().f32;
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

}  // namespace poplens::test
