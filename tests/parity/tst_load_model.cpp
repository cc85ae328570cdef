// Model folders that do not fit: each is refused with one sentence that names the tensor, file or key. Made from the
// tiny checkpoint by changing bytes that keep its files' lengths.
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "tests/parity/session_harness.h"
#include "vision/picture_encoder.h"

using namespace poplens;
using namespace poplens::test;

using nlohmann::json;

namespace {

class FolderCopy {
 public:
  explicit FolderCopy(const std::string& name) {
    const QDir source(QString::fromStdString(test_data("data/qwen3_vl/" + name).string()));
    for (const QString& file : source.entryList(QDir::Files)) {
      const bool golden = file.endsWith(".safetensors") && !file.startsWith("model");
      if (!golden && file != "cases.json") QFile::copy(source.filePath(file), folder_.filePath(file));
    }
    for (const QString& file : QDir(folder_.path()).entryList(QDir::Files)) {
      QFile::setPermissions(folder_.filePath(file), QFile::ReadOwner | QFile::WriteOwner);
    }
  }
  void replace(const QString& file, const QByteArray& before, const QByteArray& after) const {
    QByteArray bytes = read(file);
    if (!bytes.contains(before)) qFatal("%s does not hold %s", qPrintable(file), before.constData());
    write(file, bytes.replace(bytes.indexOf(before), before.size(), after));
  }
  void change_json(const QString& file, const std::function<void(json&)>& change) const {
    json value = json::parse(read(file).toStdString());
    change(value);
    write(file, QByteArray::fromStdString(value.dump()));
  }
  void remove(const QString& file) const { QFile::remove(folder_.filePath(file)); }
  std::filesystem::path path() const { return folder_.path().toStdString(); }

  QByteArray read(const QString& name) const {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::ReadOnly)) qFatal("no file %s", qPrintable(name));
    return file.readAll();
  }
  void write(const QString& name, const QByteArray& bytes) const {
    remove(name);
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("cannot write the test's file");
  }

 private:
  QTemporaryDir folder_;
};

std::string load_error(const FolderCopy& folder) {
  const auto model = load_model(folder.path(), {}, make_image_encoder);
  return model.ok() ? std::string() : model.error().message;
}

void verify_error(const FolderCopy& folder, const std::vector<std::string>& names) {
  const std::string message = load_error(folder);
  for (const std::string& name : names) {
    QVERIFY2(message.find(name) != std::string::npos, message.empty() ? "no error" : message.c_str());
  }
  QVERIFY2(message.find('\n') == std::string::npos, message.c_str());
}

}  // namespace

class LoadModelTest : public QObject {
  Q_OBJECT

 private slots:
  void the_copies_load() {
    for (const char* name : {"tiny-tied", "tiny-untied"}) {
      const FolderCopy folder(name);
      const auto model = load_model(folder.path(), {}, make_image_encoder);
      QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
      QVERIFY(model->encoder != nullptr);
      QVERIFY(model->weights_bytes > 100'000);
      QVERIFY(model->decoder->activations() == DType::bf16);
    }
  }

  void without_an_encoder_it_answers_text() {
    const FolderCopy folder("tiny-tied");
    const auto model = load_model(folder.path(), {.activations = DType::f32}, {});
    QVERIFY(model.ok());
    QVERIFY(model->encoder == nullptr);
    QVERIFY(model->decoder->activations() == DType::f32);
    Session session = make_session(*model);
    QVERIFY(session.generate({.prompt = text_question("Hi"), .max_tokens = 2}).ok());
    const auto refused = session.generate({.prompt = picture_question(drawn_picture(64, 64, 1), "Hi")});
    QVERIFY(!refused.ok());
  }

  void cuda_is_refused_in_words() {
    const auto model = load_model(test_data("data/qwen3_vl/tiny-tied"), {.device = DeviceChoice::cuda}, {});
    if (!model.ok()) QVERIFY(model.error().message.find("cuda") != std::string::npos);
  }

  void missing_tensors_data() {
    QTest::addColumn<QByteArray>("tensor");
    QTest::addColumn<QByteArray>("instead");
    const auto row = [](const char* tensor, const char* instead) {
      QTest::newRow(tensor) << QByteArray(tensor) << QByteArray(instead);
    };
    row("layers.0.self_attn.q_proj.weight", "layers.0.self_attn.q_prox.weight");
    row("layers.7.mlp.down_proj.weight", "layers.7.mlp.down_prox.weight");
    row("layers.3.input_layernorm.weight", "layers.3.input_layernorx.weight");
    row("layers.5.self_attn.k_norm.weight", "layers.5.self_attn.k_norx.weight");
    row("language_model.norm.weight", "language_model.norx.weight");
    row("visual.blocks.2.attn.qkv.bias", "visual.blocks.2.attn.qkv.bixs");
    row("visual.pos_embed.weight", "visual.pos_embex.weight");
    row("visual.merger.linear_fc2.weight", "visual.merger.linear_fc3.weight");
    row("visual.deepstack_merger_list.2.norm.bias", "visual.deepstack_merger_list.2.norx.bias");
  }
  void missing_tensors() {
    QFETCH(QByteArray, tensor);
    QFETCH(QByteArray, instead);
    const FolderCopy folder("tiny-tied");
    folder.replace("model.safetensors", tensor + '"', instead + '"');
    verify_error(folder, {folder.path().string(), tensor.toStdString()});
  }

  void no_embedding_no_tower_no_head() {
    const FolderCopy no_embedding("tiny-tied");
    no_embedding.replace("model.safetensors", "embed_tokens.weight", "embed_tokenx.weight");
    verify_error(no_embedding, {no_embedding.path().string(), "embed_tokens.weight"});
    const FolderCopy no_tower("tiny-tied");
    no_tower.replace("model.safetensors", "visual.patch_embed.proj.weight", "visual.patch_embed.prox.weight");
    verify_error(no_tower, {no_tower.path().string(), "patch_embed.proj.weight"});
    const FolderCopy no_head("tiny-tied");
    no_head.change_json("config.json", [](json& config) { config["tie_word_embeddings"] = false; });
    verify_error(no_head, {no_head.path().string(), "lm_head.weight"});
  }

  void shapes_that_differ_from_the_config_data() {
    QTest::addColumn<QString>("holder");
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("value");
    QTest::addColumn<QString>("named");
    const auto row = [](const char* holder, const char* key, int value, const char* named) {
      QTest::newRow(key) << QString(holder) << QString(key) << value << QString(named);
    };
    row("text_config", "hidden_size", 68, "embed_tokens.weight");
    row("text_config", "intermediate_size", 100, "mlp.gate_proj.weight");
    row("text_config", "num_hidden_layers", 9, "layers.8.input_layernorm.weight");
    row("text_config", "num_attention_heads", 6, "self_attn.q_proj.weight");
    row("text_config", "num_key_value_heads", 1, "self_attn.k_proj.weight");
    row("text_config", "vocab_size", 400, "embed_tokens.weight");
    row("vision_config", "depth", 5, "blocks.4.norm1.weight");
    row("vision_config", "intermediate_size", 104, "mlp.linear_fc1.weight");
    row("vision_config", "num_position_embeddings", 100, "pos_embed.weight");
    row("vision_config", "out_hidden_size", 32, "out_hidden_size");
    row("vision_config", "num_heads", 3, "heads");
    row("vision_config", "in_channels", 4, "in_channels");
  }
  void shapes_that_differ_from_the_config() {
    QFETCH(QString, holder);
    QFETCH(QString, key);
    QFETCH(int, value);
    QFETCH(QString, named);
    const FolderCopy folder("tiny-tied");
    folder.change_json("config.json", [&](json& config) { config[holder.toStdString()][key.toStdString()] = value; });
    verify_error(folder, {folder.path().string(), named.toStdString()});
  }

  void vision_settings_that_are_refused_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QByteArray>("value");
    for (const char* key : {"depth", "hidden_size", "intermediate_size", "num_heads", "out_hidden_size"}) {
      for (const char* value : {"null", "\"4\"", "0", "-1", "4.5", "99999999999999999999", "[4]"}) {
        QTest::addRow("%s = %s", key, value) << QString(key) << QByteArray(value);
      }
    }
    for (const char* key : {"patch_size", "temporal_patch_size", "spatial_merge_size", "num_position_embeddings"}) {
      for (const char* value : {"\"4\"", "0", "-1", "4.5", "99999999999999999999"}) {
        QTest::addRow("%s = %s", key, value) << QString(key) << QByteArray(value);
      }
    }
    for (const char* value : {"143", "2"})
      QTest::addRow("positions %s", value) << "num_position_embeddings" << QByteArray(value);
    for (const char* value : {"[1, 0, 3]", "[0, 0, 1]", "[0, 1, 4]", "[0, 1, -1]", "7"}) {
      QTest::addRow("taps %s", value) << "deepstack_visual_indexes" << QByteArray(value);
    }
    QTest::newRow("activation") << "hidden_act" << QByteArray("\"relu\"");
  }
  void vision_settings_that_are_refused() {
    QFETCH(QString, key);
    QFETCH(QByteArray, value);
    const FolderCopy folder("tiny-tied");
    folder.change_json("config.json", [&](json& config) {
      config["vision_config"][key.toStdString()] = json::parse(value.toStdString());
    });
    verify_error(folder, {"config.json", key.toStdString()});
  }

  void missing_files_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"config.json", "tokenizer.json", "preprocessor_config.json"}) QTest::newRow(file) << file;
  }
  void missing_files() {
    QFETCH(QString, file);
    const FolderCopy folder("tiny-tied");
    folder.remove(file);
    verify_error(folder, {folder.path().string(), file.toStdString()});
  }

  void missing_weights() {
    const FolderCopy single("tiny-tied");
    single.remove("model.safetensors");
    verify_error(single, {single.path().string(), "model.safetensors"});
    const FolderCopy sharded("tiny-untied");
    sharded.remove("model-00002-of-00003.safetensors");
    verify_error(sharded, {"model-00002-of-00003.safetensors"});
  }
};

QTEST_APPLESS_MAIN(LoadModelTest)
#include "tst_load_model.moc"
