// Model folders as a whole: which are refused, and what generation_config.json says.
#include <limits>

#include "tests/engine/model/config_folder.h"

using namespace poplens;
using namespace poplens::test;

namespace {

GenerationDefaults defaults_of(const json& config, const std::optional<json>& generation) {
  const ConfigFolder folder;
  folder.write("config.json", config);
  if (generation) folder.write("generation_config.json", *generation);
  const auto read = folder.read();
  if (!read.ok()) qFatal("%s", read.error().message.c_str());
  return read->generation;
}

}  // namespace

class ModelConfigTest : public QObject {
  Q_OBJECT

 private slots:
  void no_folder_no_file() {
    verify_names(message_of(read_model_config("/nowhere/at/all")), "/nowhere/at/all", "no such model folder");
    const ConfigFolder empty;
    verify_names(message_of(empty.read()), "config.json", empty.path().string());
    empty.write("config.json", QByteArray());
    verify_names(message_of(empty.read()), "config.json", "");
    verify_names(message_of(read_model_config(empty.path() / "config.json")), "config.json", "no such model folder");
  }

  void broken_files_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("no JSON") << QByteArray("model_type: qwen3_vl");
    QTest::newRow("cut off") << QByteArray("{\"model_type\": \"qwen3_");
    QTest::newRow("a list") << QByteArray("[1, 2]");
    QTest::newRow("a number") << QByteArray("7");
    QTest::newRow("bytes") << QByteArray("\x00\xff\xfe\x01", 4);
    QTest::newRow("no UTF-8") << QByteArray("{\"model_type\": \"\xc3\x28\"}");
    QTest::newRow("an abyss of lists") << QByteArray("{\"a\":" + QByteArray(200'000, '['));
    QTest::newRow("an abyss of objects") << "{\"model_type\":" + QByteArray("{\"a\":").repeated(100'000);
  }
  void broken_files() {
    QFETCH(QByteArray, text);
    const ConfigFolder folder;
    folder.write("config.json", text);
    verify_names(message_of(folder.read()), "config.json", "");
  }

  void families_that_are_refused_by_name() {
    for (const char* type : {"qwen3_vl_moe", "qwen3_moe"}) {
      json config = qwen3_vl_config();
      config["model_type"] = type;
      verify_names(message_of(read_config(config)), type, "mixture-of-experts");
    }
    for (const char* type : {"qwen2_vl", "mamba", "", "QWEN3_VL", "qwen3_vl "}) {
      json config = qwen3_vl_config();
      config["model_type"] = type;
      verify_names(message_of(read_config(config)), "config.json", "unknown architecture '" + std::string(type) + "'");
    }
  }

  void quantised_editions_are_refused_by_name() {
    for (const char* method : {"fp8", "gptq", "awq", "bitsandbytes"}) {
      json config = qwen3_vl_config();
      config["quantization_config"] = {{"quant_method", method}};
      verify_names(message_of(read_config(config)), "config.json", "quantised");
    }
    json config = qwen3_vl_config();
    config["quantization_config"] = nullptr;
    QVERIFY(read_config(config).ok());
  }

  void without_generation_config() {
    json config = qwen3_vl_config();
    GenerationDefaults defaults = defaults_of(config, std::nullopt);
    QVERIFY(!defaults.sample);
    QVERIFY(defaults.stop_tokens.empty());
    config["text_config"]["eos_token_id"] = 12;
    QCOMPARE(defaults_of(config, std::nullopt).stop_tokens, std::vector<int32_t>{12});
    config["eos_token_id"] = {13, 14};
    QCOMPARE(defaults_of(config, std::nullopt).stop_tokens, (std::vector<int32_t>{13, 14}));
    QCOMPARE(defaults_of(config, json{{"eos_token_id", 15}}).stop_tokens, std::vector<int32_t>{15});
    QCOMPARE(defaults_of(config, json{{"eos_token_id", nullptr}}).stop_tokens, (std::vector<int32_t>{13, 14}));
    QCOMPARE(defaults_of(config, json::object()).stop_tokens, (std::vector<int32_t>{13, 14}));
  }

  void generation_config_is_read() {
    const GenerationDefaults defaults = defaults_of(qwen3_vl_config(), json{{"do_sample", true},
                                                                            {"temperature", 0.7},
                                                                            {"top_p", 0.8},
                                                                            {"top_k", 20},
                                                                            {"min_p", 0.05},
                                                                            {"repetition_penalty", 1.1},
                                                                            {"eos_token_id", {3, 4}},
                                                                            {"pad_token_id", 5}});
    QVERIFY(defaults.sample);
    QCOMPARE(defaults.temperature, 0.7);
    QCOMPARE(defaults.top_p, 0.8);
    QCOMPARE(defaults.top_k, 20);
    QCOMPARE(defaults.min_p, 0.05);
    QCOMPARE(defaults.repetition_penalty, 1.1);
    QCOMPARE(defaults.stop_tokens, (std::vector<int32_t>{3, 4}));
  }

  // transformers' own defaults for what the file leaves out: top-k 50, everything else off.
  void what_generation_config_leaves_out() {
    const GenerationDefaults defaults = defaults_of(qwen3_vl_config(), json{{"do_sample", true}, {"top_p", nullptr}});
    QVERIFY(defaults.sample);
    QCOMPARE(defaults.temperature, 1.0);
    QCOMPARE(defaults.top_p, 1.0);
    QCOMPARE(defaults.top_k, 50);
    QCOMPARE(defaults.min_p, 0.0);
    QCOMPARE(defaults.repetition_penalty, 1.0);
  }

  void wrong_generation_config_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QByteArray>("value");
    const QList<std::pair<const char*, QList<const char*>>> wrong{
        {"do_sample", {"1", "\"yes\"", "[]"}},
        {"temperature", {"\"0.7\"", "true", "[0.7]", "{}"}},
        {"top_p", {"\"x\"", "false"}},
        {"min_p", {"\"x\""}},
        {"repetition_penalty", {"\"x\"", "[]"}},
        {"top_k", {"-1", "20.5", "\"20\"", "99999999999", "18446744073709551615"}},
        {"eos_token_id", {"-1", "\"3\"", "[3, \"4\"]", "[-1]", "[1.5]", "99999999999", "{}"}}};
    for (const auto& [key, values] : wrong) {
      for (const char* value : values) QTest::addRow("%s = %s", key, value) << QString(key) << QByteArray(value);
    }
  }
  void wrong_generation_config() {
    QFETCH(QString, key);
    QFETCH(QByteArray, value);
    const ConfigFolder folder;
    folder.write("config.json", qwen3_vl_config());
    folder.write("generation_config.json", "{\"" + key.toUtf8() + "\": " + value + "}");
    verify_names(message_of(folder.read()), "generation_config.json", key.toStdString());
  }

  void a_broken_generation_config() {
    const ConfigFolder folder;
    folder.write("config.json", qwen3_vl_config());
    folder.write("generation_config.json", QByteArray("{"));
    verify_names(message_of(folder.read()), "generation_config.json", "JSON");
  }
};

QTEST_APPLESS_MAIN(ModelConfigTest)
#include "tst_model_config.moc"
