// From samples to means: classes of positions become stages before anything is squared; sums survive a file exactly.
#include <cmath>
#include <random>

#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "engine/pop/importance/importance_state.h"

using namespace poplens;

namespace {

constexpr int kLayers = 2;

GateGradients random_gradients(uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  GateGradients gradients{std::abs(normal(random)), std::vector<ClassSums>(kLayers), std::vector<ClassSums>(kLayers)};
  for (auto* branch : {&gradients.attention, &gradients.ffn}) {
    for (ClassSums& sums : *branch) {
      for (double& sum : sums) sum = normal(random);
    }
  }
  return gradients;
}

AblationRises rises_of(double value) {
  AblationRises rises;
  for (std::vector<double>& stage : rises) stage = {value, 2 * value};
  return rises;
}

ImportanceJob job_of(int64_t samples) {
  return {.model = {"llama", kLayers, 64, 88, 4, 1, 336, "abc"},
          .data = "hash",
          .samples = samples,
          .labels = "model",
          .seed = 0xffff'ffff'ffff'fff1ULL,
          .ablation = true};
}

}  // namespace

class ImportanceSumsTest : public QObject {
  Q_OBJECT

 private slots:
  void means_of_two_samples() {
    const GateGradients samples[] = {random_gradients(1), random_gradients(2)};
    ImportanceSums sums(kLayers);
    for (const GateGradients& sample : samples) sums.add(sample, 4);
    const ImportanceProfile profile = sums.profile({}, "data");
    QCOMPARE(profile.samples, 2);
    QCOMPARE(profile.answer_tokens, 8);
    QCOMPARE(profile.loss, (samples[0].loss + samples[1].loss) / 2);

    const std::vector<std::vector<size_t>> classes = {{0, 1}, {2}, {0}, {1, 2}};  // in the order of the stages
    for (size_t stage = 0; stage < kGateStages; ++stage) {
      std::array<double, kLayers> attention[2]{}, ffn[2]{};
      for (size_t s = 0; s < 2; ++s) {
        for (size_t layer = 0; layer < kLayers; ++layer) {
          for (const size_t part : classes[stage]) {
            attention[s][layer] += samples[s].attention[layer][part];
            ffn[s][layer] += samples[s].ffn[layer][part];
          }
        }
      }
      for (size_t i = 0; i < kLayers; ++i) {
        const LayerImportance& got = profile.stages[stage].layers[i];
        const auto mean = [&](const auto& of) { return (of(size_t{0}) + of(size_t{1})) / 2; };
        const auto gate = [&](size_t s, size_t layer) { return attention[s][layer] + ffn[s][layer]; };
        const auto close = [](double a, double b) { return std::abs(a - b) <= 1e-12 * (1 + std::abs(b)); };
        QVERIFY(close(got.attention, mean([&](size_t s) { return attention[s][i]; })));
        QVERIFY(close(got.ffn, mean([&](size_t s) { return ffn[s][i]; })));
        QVERIFY(close(got.gradient, got.attention + got.ffn));
        QVERIFY(close(got.fisher, mean([&](size_t s) { return gate(s, i) * gate(s, i); })));
        QVERIFY(close(got.attention_fisher, mean([&](size_t s) { return attention[s][i] * attention[s][i]; })));
        QVERIFY(close(got.ffn_fisher, mean([&](size_t s) { return ffn[s][i] * ffn[s][i]; })));
        QVERIFY(!got.ablation);
        for (size_t j = 0; j < kLayers; ++j) {
          QVERIFY(close(profile.stages[stage].fisher_matrix[i * kLayers + j],
                        mean([&](size_t s) { return gate(s, i) * gate(s, j); })));
        }
      }
    }
  }

  void ablation_is_a_mean() {
    ImportanceSums sums(kLayers);
    for (const double value : {1.0, 4.0}) {
      sums.add(random_gradients(3), 1);
      sums.add(rises_of(value), Closed::one_layer);
      sums.add(rises_of(10 * value), Closed::suffix);
    }
    const ImportanceProfile profile = sums.profile({}, "data");
    QCOMPARE(*profile.stage(GateStage::decode).layers[0].ablation, 2.5);
    QCOMPARE(*profile.stage(GateStage::prefill_text).layers[1].ablation, 5.0);
    QVERIFY(profile.stage(GateStage::prefill).suffix_rises == (std::vector{25.0, 50.0}));
  }

  // What was measured of some stages only is a mean of those, and no whole measurement.
  void stages_without_rises() {
    ImportanceSums sums(kLayers);
    sums.add(random_gradients(3), 1);
    QVERIFY(!sums.complete(false));
    AblationRises prefill = rises_of(3.0);
    prefill[static_cast<size_t>(GateStage::decode)].clear();
    prefill[static_cast<size_t>(GateStage::decode_text)].clear();
    sums.add(prefill, Closed::suffix);
    QVERIFY(sums.complete(false) && !sums.complete(true));
    const ImportanceProfile profile = sums.profile({}, "data");
    QVERIFY(profile.stage(GateStage::prefill_text).suffix_rises == (std::vector{3.0, 6.0}));
    QVERIFY(profile.stage(GateStage::decode).suffix_rises.empty());
    sums.add(rises_of(1.0), Closed::one_layer);
    QVERIFY(!sums.complete(false) && !sums.complete(true));
    sums.add(rises_of(1.0), Closed::suffix);
    QVERIFY(sums.complete(true));
  }

  void a_state_goes_on_with_the_same_bits() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("out.json.partial").toStdString();
    const ImportanceJob job = job_of(6);
    ImportanceState whole{job, ImportanceSums(kLayers)};
    ImportanceState kept = whole;
    for (uint32_t sample = 0; sample < 6; ++sample) {
      for (ImportanceState* state : {&whole, &kept}) {
        state->sums.add(random_gradients(sample), sample);
        state->sums.add(rises_of(1.0 / (sample + 3)), Closed::one_layer);
        state->sums.add(rises_of(1.0 / (sample + 7)), Closed::suffix);
      }
      QVERIFY(save_state(path, kept).ok());
      auto loaded = load_state(path, job);
      QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
      QCOMPARE(loaded->sums.samples(), static_cast<int64_t>(sample) + 1);
      kept = std::move(loaded).value();
    }
    QCOMPARE(kept.sums.to_json().dump(), whole.sums.to_json().dump());
    QCOMPARE(to_json(kept.sums.profile(job.model, "model")).dump(),
             to_json(whole.sums.profile(job.model, "model")).dump());
  }

  void a_state_of_another_job_is_refused() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("out.json.partial").toStdString();
    QVERIFY(save_state(path, {job_of(6), ImportanceSums(kLayers)}).ok());
    std::vector<ImportanceJob> others(6, job_of(6));
    others[0].samples = 7;
    others[1].labels = "data";
    others[2].seed -= 1;
    others[3].data = "other";
    others[4].ablation = false;
    others[5].model.weights = "def";
    for (const ImportanceJob& other : others) {
      const auto refused = load_state(path, other);
      QVERIFY(!refused.ok());
      QVERIFY(QString::fromStdString(refused.error().message).contains("out.json.partial"));
    }
  }

  void damaged_states() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("state").toStdString();
    ImportanceState state{job_of(1), ImportanceSums(kLayers)};
    state.sums.add(random_gradients(1), 3);
    state.sums.add(rises_of(2.0), Closed::one_layer);
    // What has no measured losses would make means of too few samples.
    QVERIFY(save_state(path, state).ok());
    QVERIFY(!load_state(path, state.job).ok());
    state.sums.add(rises_of(2.0), Closed::suffix);
    QVERIFY(save_state(path, state).ok());
    QFile file(QString::fromStdString(path.string()));
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray good = file.readAll();
    const auto fails = [&](const QByteArray& text) {
      file.resize(0);
      file.seek(0);
      file.write(text);
      file.flush();
      return !load_state(path, state.job).ok();
    };
    QVERIFY(!fails(good));
    for (qsizetype length = 0; length < good.size() - 1; length += 97) QVERIFY(fails(good.left(length)));
    QByteArray changed = good;
    QVERIFY(fails(changed.replace("\"ablation\":[2.0,4.0]", "\"ablation\":[1.0]")));
    changed = good;
    QVERIFY(fails(changed.replace("\"samples\":1,\"answer", "\"samples\":2,\"answer")));
  }
};

QTEST_APPLESS_MAIN(ImportanceSumsTest)
#include "tst_importance_sums.moc"
