// Importance profiles: what a set of layers is predicted to cost, and files: back as they were, damaged, another
// model's.
#include <cmath>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "engine/pop/profile.h"
#include "engine/pop/rank_correlation.h"

using namespace poplens;
using nlohmann::json;

namespace {

constexpr int kLayers = 3;

ImportanceProfile sample_profile() {
  ImportanceProfile profile{.model = {"llama", kLayers, 64, 88, 4, 1, 336, "abc123"},
                            .labels = "data",
                            .samples = 5,
                            .answer_tokens = 17,
                            .loss = 2.5};
  double value = 0.1;
  for (StageImportance& stage : profile.stages) {
    for (int layer = 0; layer < kLayers; ++layer) {
      const double attention = value, ffn = -2 * value;
      stage.layers.push_back({attention + ffn, attention, ffn, value * value, 0.5, 0.25, value * 3});
      value = std::nextafter(value * 1.7, 10.0);
    }
    for (int i = 0; i < kLayers * kLayers; ++i) stage.fisher_matrix.push_back(value + i / 3.0);
    for (int i = 0; i < kLayers; ++i) stage.suffix_rises.push_back(value - i / 7.0);
  }
  return profile;
}

json document_of(const ImportanceProfile& profile) {
  return json::parse(to_json(profile).dump());
}

}  // namespace

class ProfileTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::filesystem::path write(const std::string& text) {
    const QString path = folder_.filePath("profile.json");
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0) {
      qFatal("the test's folder cannot be written");
    }
    file.close();
    return path.toStdString();
  }

 private slots:
  void a_profile_comes_back_as_it_was() {
    const ImportanceProfile profile = sample_profile();
    const auto read = read_profile(write(to_json(profile).dump()));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.c_str());
    QVERIFY(read->model == profile.model);
    QCOMPARE(to_json(*read).dump(), to_json(profile).dump());
    QVERIFY(read->stage(GateStage::decode_text).fisher_matrix == profile.stage(GateStage::decode_text).fisher_matrix);
  }

  void keys() {
    const json document = document_of(sample_profile());
    for (const char* key : {"model", "layers", "fisher_matrix", "samples", "answer_tokens", "rank_correlation"}) {
      QVERIFY2(document.contains(key), key);
    }
    QCOMPARE(document["layers"].size(), size_t{kLayers});
    QCOMPARE(document["layers"][1]["layer"].get<int>(), 1);
    for (const char* stage : {"prefill", "decode", "prefill_text", "decode_text"}) {
      const json& layer = document["layers"][1][stage];
      for (const char* key :
           {"gradient", "fisher", "importance", "attention", "ffn", "ablation", "attention_fisher", "ffn_fisher"}) {
        QVERIFY2(layer[key].is_number(), key);
      }
      QCOMPARE(layer["importance"].get<double>(), -layer["gradient"].get<double>() + layer["fisher"].get<double>() / 2);
      QCOMPARE(document["fisher_matrix"][stage].size(), size_t{kLayers});
      QVERIFY(document["rank_correlation"][stage].is_number());
    }
  }

  void without_ablation() {
    ImportanceProfile profile = sample_profile();
    for (StageImportance& stage : profile.stages) {
      for (LayerImportance& layer : stage.layers) layer.ablation.reset();
    }
    const auto read = read_profile(write(to_json(profile).dump()));
    QVERIFY(read.ok());
    QVERIFY(!read->stage(GateStage::prefill).layers[0].ablation);
    QVERIFY(!read->stage(GateStage::prefill).rank_correlation());
    QVERIFY(document_of(profile)["rank_correlation"]["decode"].is_null());
  }

  // -sum E[g] + sum F_ij / 2, by hand.
  void predicted_rise() {
    StageImportance stage;
    stage.layers = {{.gradient = 1.0}, {.gradient = -2.0}, {.gradient = 0.5}};
    stage.fisher_matrix = {4.0, 1.0, -1.0, 1.0, 6.0, 2.0, -1.0, 2.0, 8.0};
    QCOMPARE(stage.predicted_rise({}), 0.0);
    const std::vector<int> one{1}, two{0, 2}, all{0, 1, 2};
    QCOMPARE(stage.predicted_rise(one), 2.0 + 3.0);
    QCOMPARE(stage.predicted_rise(two), -1.5 + (4.0 + 8.0 - 2.0) / 2);
    QCOMPARE(stage.predicted_rise(all), 0.5 + (18.0 + 2.0 * (1.0 - 1.0 + 2.0)) / 2);
  }

  void rank_correlation() {
    const std::vector<double> rising{1.0, 2.0, 3.0, 4.0}, falling{9.0, 1.0, 0.5, -3.0}, flat{1.0, 1.0, 1.0, 1.0};
    QCOMPARE(spearman(rising, rising), 1.0);
    QCOMPARE(spearman(rising, falling), -1.0);
    QCOMPARE(spearman(rising, flat), 0.0);
    // numpy.corrcoef of the ranks, equal values sharing the mean of theirs.
    const std::vector<double> a{3, 1, 4, 1, 5}, b{2, 7, 1, 8, 2};
    QVERIFY(std::abs(spearman(a, b) + 0.7894736842105264) < 1e-12);
  }

  void another_model_is_refused() {
    const ImportanceProfile profile = sample_profile();
    const auto path = write(to_json(profile).dump());
    QVERIFY(read_profile_of(path, profile.model).ok());
    ModelFingerprint trained_on = profile.model;
    trained_on.weights = "def456";
    const auto refused = read_profile_of(path, trained_on);
    QVERIFY(!refused.ok());
    QVERIFY(QString::fromStdString(refused.error().message).contains("another model"));
    QVERIFY(QString::fromStdString(refused.error().message).contains("profile.json"));
  }

  void damaged_files_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("named");
    const auto row = [](const char* name, const json& document, const char* named) {
      QTest::newRow(name) << QString::fromStdString(document.dump()) << QString(named);
    };
    const json good = document_of(sample_profile());
    const auto changed = [&](const auto& change) {
      json document = good;
      change(document);
      return document;
    };
    row("layers out of order", changed([](json& document) { std::swap(document["layers"][0], document["layers"][1]); }),
        "is said to be layer 1");
    QTest::newRow("no JSON") << QString("{\"layers\": [") << QString("profile.json");
    QTest::newRow("a list") << QString("[]") << QString("profile.json");
    QTest::newRow("deep nesting") << QString("[").repeated(200'000) << QString("profile.json");
    row("no model", changed([](json& d) { d.erase("model"); }), "model");
    row("a text for layers", changed([](json& d) { d["layers"] = "all"; }), "layers");
    row("a layer less", changed([](json& d) { d["layers"].erase(1); }), "layers");
    row("layers beyond all models", changed([](json& d) { d["model"]["layers"] = 1'000'000'000; }), "layers");
    row("negative layers", changed([](json& d) { d["model"]["layers"] = -1; }), "layers");
    row("a layer that is none", changed([](json& d) { d["layers"][1] = 7; }), "layers 1");
    row("a stage less", changed([](json& d) { d["layers"][2].erase("decode_text"); }), "decode_text");
    row("a text for a number", changed([](json& d) { d["layers"][0]["prefill"]["fisher"] = "big"; }), "fisher");
    row("no samples", changed([](json& d) { d["samples"] = 0; }), "samples");
    row("a matrix less", changed([](json& d) { d["fisher_matrix"].erase("prefill"); }), "prefill");
    row("a row too short", changed([](json& d) { d["fisher_matrix"]["decode"][2].erase(0); }), "decode");
    row("a matrix of texts", changed([](json& d) { d["fisher_matrix"]["decode"][0][0] = "x"; }), "decode");
    row("a rise less", changed([](json& d) { d["suffix_rise"]["prefill"].erase(0); }), "prefill");
    row("a rise that is a text", changed([](json& d) { d["suffix_rise"]["decode"][1] = "x"; }), "decode");
    row("rises that are a list", changed([](json& d) { d["suffix_rise"] = json::array(); }), "suffix_rise");
    row("a figure out of range", changed([](json& d) { d["layers"][1]["decode"]["ffn"] = 1e308; }), "'ffn'");
    row("a matrix out of range", changed([](json& d) { d["fisher_matrix"]["decode"][0][0] = -1e300; }), "decode");
    row("a rise out of range", changed([](json& d) { d["suffix_rise"]["decode"][2] = -1e300; }), "entry 2");
    QString huge = QString::fromStdString(good.dump());
    huge.replace("\"loss\":2.5", "\"loss\":1e999");
    QTest::newRow("a number beyond all") << huge << QString("profile.json");
  }
  void damaged_files() {
    QFETCH(QString, text);
    QFETCH(QString, named);
    const auto read = read_profile(write(text.toStdString()));
    QVERIFY(!read.ok());
    const QString message = QString::fromStdString(read.error().message);
    QVERIFY2(message.contains("profile.json") && message.contains(named), qPrintable(message));
  }

  void a_missing_file() { QVERIFY(!read_profile(folder_.filePath("none.json").toStdString()).ok()); }
};

QTEST_APPLESS_MAIN(ProfileTest)
#include "tst_profile.moc"
