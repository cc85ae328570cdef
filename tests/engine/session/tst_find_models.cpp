// Models on the disk: where they are looked for, what is told of each, and why one cannot be loaded.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "engine/session/find_models.h"
#include "engine/session/model_places.h"

using namespace poplens;

namespace {

const QString kTiny = QStringLiteral(POPLENS_TEST_DATA "/data/qwen3_vl/tiny-tied");

void write(const QString& path, const QByteArray& content) {
  QDir().mkpath(QFileInfo(path).path());
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(content), content.size());
}

// The files of a model folder, without those named.
void copy_model(const QString& to, const QStringList& without = {}) {
  QDir().mkpath(to);
  for (const char* name : {"config.json", "model.safetensors", "tokenizer.json", "preprocessor_config.json"}) {
    if (!without.contains(name)) QVERIFY(QFile::copy(kTiny + "/" + name, to + "/" + name));
  }
}

}  // namespace

class TestFindModels : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    home_ = std::make_unique<QTemporaryDir>();
    qputenv("HOME", home_->path().toUtf8());
    for (const char* name : {"HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "OLLAMA_MODELS"}) qunsetenv(name);
  }

  void tells_what_a_folder_holds() {
    const FoundModel model = describe_model(kTiny.toStdString());
    QVERIFY2(model.loadable(), model.why_not.c_str());
    QCOMPARE(model.name, std::string("tiny-tied"));
    QCOMPARE(model.family, std::string("qwen3_vl"));
    QCOMPARE(model.quantization, std::string("BF16"));
    QCOMPARE(model.layers, 8);
    QVERIFY(model.vision);
    QCOMPARE(model.weights_bytes, model.parameters * 2);
    QVERIFY(model.weights_bytes <= QFileInfo(kTiny + "/model.safetensors").size());
    QVERIFY(model.memory_bytes > model.weights_bytes);
    QVERIFY(!describe_model(POPLENS_TEST_DATA "/data/gemma3_text/tiny-v4").vision);
  }

  void reads_the_hugging_face_cache() {
    const QString model = path(".cache/huggingface/hub/models--Org--Small-VL");
    copy_model(model + "/snapshots/aaaa", {"model.safetensors"});
    copy_model(model + "/snapshots/bbbb");
    copy_model(model + "/snapshots/cccc", {"model.safetensors"});
    write(model + "/refs/main", "bbbb");
    auto found = find_models({});
    QCOMPARE(found.size(), size_t{1});
    QCOMPARE(found[0].name, std::string("Org/Small-VL"));
    QCOMPARE(QString::fromStdString(found[0].path.string()), model + "/snapshots/bbbb");
    QVERIFY(found[0].origin == ModelOrigin::hugging_face_cache);
    QVERIFY(found[0].loadable());

    // A reference that leads elsewhere is not followed.
    write(model + "/refs/main", "../../../..");
    found = find_models({});
    QCOMPARE(QString::fromStdString(found[0].path.string()), model + "/snapshots/cccc");

    qputenv("HF_HOME", path("elsewhere").toUtf8());
    QVERIFY(find_models({}).empty());
    copy_model(path("elsewhere/hub/models--Org--Other/snapshots/1"));
    QCOMPARE(find_models({}).front().name, std::string("Org/Other"));
  }

  void looks_into_added_folders() {
    copy_model(path("mine/deep/er/model-a"));
    copy_model(path("mine/model-b"));
    write(path("mine/editor/config.json"), R"({"tabs": 2})");
    write(path("mine/list/config.json"), "[1, 2]");
    QVERIFY(QFile::link(path("mine"), path("mine/loop")));
    const auto found = find_models({.added = {path("mine").toStdString()}, .usual = false});
    QCOMPARE(found.size(), size_t{2});
    QCOMPARE(found[0].name, std::string("model-a"));
    QCOMPARE(found[1].name, std::string("model-b"));
    QVERIFY(found[0].origin == ModelOrigin::added_folder);
    QVERIFY(find_models({.added = {"/no/such/folder"}, .usual = false}).empty());
    QCOMPARE(find_models({.added = {path("mine/model-b").toStdString()}, .usual = false}).size(), size_t{1});
  }

  void lists_a_model_with_a_damaged_config() {
    copy_model(path("mine/broken"), {"config.json"});
    write(path("mine/broken/config.json"), "{\"model_type\": ");
    write(path("mine/other/config.json"), "{\"tabs\": ");
    const auto found = find_models({.added = {path("mine").toStdString()}, .usual = false});
    QCOMPARE(found.size(), size_t{1});
    QCOMPARE(found[0].name, std::string("broken"));
    QVERIFY(!found[0].loadable());
    QVERIFY2(found[0].why_not.find("config.json") != std::string::npos, found[0].why_not.c_str());
  }

  void lists_gguf_files_as_not_supported_yet() {
    write(path(".lmstudio/models/org/a/small-vl-Q4_K_M.gguf"), "GGUF");
    write(path(".lmstudio/models/org/a/mmproj-small-vl-f16.gguf"), "GGUF");
    write(path(".cache/llama.cpp/big-00001-of-00002.gguf"), "GGUF");
    write(path(".cache/llama.cpp/big-00002-of-00002.gguf"), "GGUF");
    const QString manifests = path(".ollama/models/manifests/registry.ollama.ai/library/");
    write(manifests + "seer/2b",
          R"({"layers": [{"mediaType": "application/vnd.ollama.image.template", "digest": "sha256:12"},
                         {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:ab12"}]})");
    write(manifests + "broken/1b", "{");
    write(manifests + "away/1b", R"({"layers": [{"mediaType": "x.model", "digest": "sha256:../../x"}]})");
    write(path(".ollama/models/blobs/sha256-ab12"), "GGUF");
    const auto found = find_models({});
    QCOMPARE(found.size(), size_t{3});
    QCOMPARE(found[0].name, std::string("big-00001-of-00002"));
    QCOMPARE(found[1].name, std::string("seer:2b"));
    QCOMPARE(found[2].name, std::string("small-vl-Q4_K_M"));
    QCOMPARE(found[2].quantization, std::string("Q4_K_M"));
    for (const FoundModel& model : found) {
      QVERIFY(model.obstacle == ModelObstacle::gguf);
      QVERIFY(model.why_not.find("GGUF") != std::string::npos);
      QVERIFY(model.origin == ModelOrigin::other_program);
      QCOMPARE(model.weights_bytes, int64_t{4});
    }
  }

  void says_why_a_model_cannot_be_loaded_data() {
    QTest::addColumn<QString>("missing");
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<int>("obstacle");
    QTest::addColumn<QByteArray>("named");
    const auto row = [](const char* name, const char* missing, const QByteArray& config, ModelObstacle obstacle,
                        const char* named) {
      QTest::newRow(name) << QString(missing) << config << static_cast<int>(obstacle) << QByteArray(named);
    };
    row("no weights", "model.safetensors", {}, ModelObstacle::incomplete, "model.safetensors");
    row("no tokenizer", "tokenizer.json", {}, ModelObstacle::incomplete, "tokenizer.json");
    row("another architecture", "config.json", R"({"model_type": "bert"})", ModelObstacle::not_known, "bert");
    row("experts", "config.json", R"({"model_type": "qwen3_vl_moe"})", ModelObstacle::not_known, "mixture-of-experts");
    row("quantised", "config.json", R"({"model_type": "llama", "quantization_config": {"quant_method": "gptq"}})",
        ModelObstacle::not_known, "quantised");
  }
  void says_why_a_model_cannot_be_loaded() {
    QFETCH(QString, missing);
    QFETCH(QByteArray, config);
    QFETCH(int, obstacle);
    QFETCH(QByteArray, named);
    copy_model(path("model"), {missing});
    if (!config.isEmpty()) write(path("model/config.json"), config);
    const FoundModel model = describe_model(path("model").toStdString());
    QCOMPARE(static_cast<int>(model.obstacle), obstacle);
    QVERIFY2(model.why_not.find(named.toStdString()) != std::string::npos, model.why_not.c_str());
    if (named == "quantised") QCOMPARE(model.quantization, std::string("gptq"));
    if (named == "bert") QCOMPARE(model.family, std::string("bert"));
  }

  // A file with a hole: four terabytes of weights that take no room.
  void says_how_much_memory_is_missing() {
    constexpr qint64 kBytes = qint64{4} << 40;
    copy_model(path("model"), {"model.safetensors"});
    const QByteArray header = QByteArray(R"({"model.visual.x": {"dtype": "F32", "shape": [)") +
                              QByteArray::number(kBytes / 4) + R"(], "data_offsets": [0, )" +
                              QByteArray::number(kBytes) + "]}}";
    const auto length = static_cast<char>(header.size());
    write(path("model/model.safetensors"), QByteArray(1, length) + QByteArray(7, '\0') + header);
    QFile file(path("model/model.safetensors"));
    if (!file.resize(8 + header.size() + kBytes)) QSKIP("the file system holds no such file");
    const FoundModel model = describe_model(path("model").toStdString());
    QVERIFY2(model.obstacle == ModelObstacle::memory, model.why_not.c_str());
    QVERIFY2(model.why_not.find("4398.0 GB") != std::string::npos, model.why_not.c_str());
    QCOMPARE(model.parameters, kBytes / 4);
  }

  // What can be loaded comes first, and a model that two places show is listed once.
  void sorts_and_lists_once() {
    copy_model(path("a/broken"), {"model.safetensors"});
    copy_model(path("a/whole"));
    QVERIFY(QFile::link(path("a/whole"), path("a/another-way")));
    const auto found =
        find_models({.bundled = {path("a").toStdString()}, .added = {path("a").toStdString()}, .usual = false});
    QCOMPARE(found.size(), size_t{2});
    QVERIFY(found[0].loadable());
    QVERIFY(found[0].origin == ModelOrigin::bundled);
    QCOMPARE(found[1].name, std::string("broken"));
  }

  void stops() {
    copy_model(path("a/whole"));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(find_models({.added = {path("a").toStdString()}}, stop.get_token()).empty());
  }

 private:
  QString path(const QString& relative) const { return home_->filePath(relative); }

  std::unique_ptr<QTemporaryDir> home_;
};

QTEST_APPLESS_MAIN(TestFindModels)
#include "tst_find_models.moc"
