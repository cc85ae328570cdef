// config.json of Qwen3-VL: what is read from it, in the spellings of transformers 4 and 5, and what is refused.
#include <cmath>

#include "tests/engine/model/config_folder.h"

using namespace poplens;
using namespace poplens::test;

namespace {

json* find_holder(json& config, const QString& holder) {
  if (holder.isEmpty()) return &config;
  json* found = &config;
  for (const QString& part : holder.split('.')) found = &found->at(part.toStdString());
  return found;
}

bool same_decoder(const DecoderSpec& a, const DecoderSpec& b) {
  return a.hidden == b.hidden && a.intermediate == b.intermediate && a.heads == b.heads && a.kv_heads == b.kv_heads &&
         a.head_dim == b.head_dim && a.vocab == b.vocab && a.context == b.context &&
         a.layers.size() == b.layers.size() && a.ropes[0].inverse_frequency == b.ropes[0].inverse_frequency &&
         a.ropes[0].axis == b.ropes[0].axis && a.norm_eps == b.norm_eps && a.tied_head == b.tied_head &&
         a.deepstack_layers == b.deepstack_layers && a.attention_scale == b.attention_scale;
}

}  // namespace

class Qwen3VlConfigTest : public QObject {
  Q_OBJECT

 private slots:
  void everything_is_read() {
    const auto config = read_config(qwen3_vl_config());
    QVERIFY2(config.ok(), message_of(config).c_str());
    const DecoderSpec& spec = config->decoder;
    QCOMPARE(config->family, std::string("qwen3_vl"));
    QCOMPARE(spec.hidden, 64);
    QCOMPARE(spec.intermediate, 96);
    QCOMPARE(spec.layer_count(), 8);
    QCOMPARE(spec.heads, 4);
    QCOMPARE(spec.kv_heads, 2);
    QCOMPARE(spec.head_dim, 32);
    QCOMPARE(spec.query_width(), 128);
    QCOMPARE(spec.kv_width(), 64);
    QCOMPARE(spec.vocab, 40);
    QCOMPARE(spec.context, 4096);
    QCOMPARE(spec.norm_eps, 1e-5F);
    QCOMPARE(spec.attention_scale, static_cast<float>(1.0 / std::sqrt(32.0)));
    QCOMPARE(spec.deepstack_layers, 3);
    QVERIFY(spec.qk_norm && spec.tied_head && spec.image_positions_2d && !spec.image_attends_both_ways);
    QVERIFY(!spec.post_norms && spec.norm_offset == 0.0F && spec.embed_scale == 1.0F);
    QCOMPARE(config->image_tokens->pad, 30);
    QCOMPARE(config->image_tokens->start, 31);
    QCOMPARE(config->image_tokens->end, 32);
    QVERIFY(config->vision_config.has_value());
    QVERIFY(config->stored_dtype == DType::bf16);
    // Section (7, 5, 4): pairs 1, 4, … 13 by row, 2, 5, 8, 11 by column, the others by time.
    QCOMPARE(spec.ropes.size(), size_t{1});
    QCOMPARE(spec.ropes[0].axis, (std::vector<uint8_t>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 0, 0}));
    QCOMPARE(spec.ropes[0].inverse_frequency.size(), size_t{16});
    for (size_t j = 0; j < 16; ++j) {
      const double expected = std::pow(10000.0, -static_cast<double>(j) / 16.0);
      QVERIFY(std::abs(static_cast<double>(spec.ropes[0].inverse_frequency[j]) / expected - 1.0) < 1e-6);
    }
  }

  void transformers_4_and_5_spell_the_same_model() {
    const json v5 = qwen3_vl_config();
    json v4 = v5;
    json& text = v4["text_config"];
    text.erase("rope_parameters");
    text["rope_theta"] = 10000.0;
    text["rope_scaling"] = {{"rope_type", "default"}, {"mrope_interleaved", true}, {"mrope_section", {7, 5, 4}}};
    v4.erase("dtype");
    v4["torch_dtype"] = "bfloat16";
    json oldest = v4;
    oldest["text_config"]["rope_scaling"].erase("rope_type");
    oldest["text_config"]["rope_scaling"]["type"] = "default";
    for (const json& spelling : {v4, oldest}) {
      const auto config = read_config(spelling);
      QVERIFY2(config.ok(), message_of(config).c_str());
      QVERIFY(same_decoder(config->decoder, read_config(v5)->decoder));
      QVERIFY(config->stored_dtype == DType::bf16);
    }
    json other_theta = v4;
    other_theta["text_config"]["rope_theta"] = 500000;
    QVERIFY(!same_decoder(read_config(other_theta)->decoder, read_config(v5)->decoder));
    json other_section = v4;
    other_section["text_config"]["rope_scaling"]["mrope_section"] = {6, 5, 5};
    QVERIFY(!same_decoder(read_config(other_section)->decoder, read_config(v5)->decoder));
  }

  void tied_or_not() {
    json config = qwen3_vl_config();
    config["tie_word_embeddings"] = false;
    QVERIFY(!read_config(config)->decoder.tied_head);
    config.erase("tie_word_embeddings");
    QVERIFY(!read_config(config)->decoder.tied_head);
  }

  void stored_types() {
    const std::vector<std::pair<const char*, DType>> types{
        {"float32", DType::f32}, {"float16", DType::f16}, {"bfloat16", DType::bf16}};
    for (const auto& [name, dtype] : types) {
      json config = qwen3_vl_config();
      config["dtype"] = name;
      QVERIFY(read_config(config)->stored_dtype == dtype);
    }
    json config = qwen3_vl_config();
    config["dtype"] = "float8_e4m3fn";
    verify_names(message_of(read_config(config)), "config.json", "float8_e4m3fn");
  }

  void wrong_values_data() {
    QTest::addColumn<QString>("holder");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QByteArray>("value");  // JSON; empty: the key is missing
    const QString text = "text_config";
    const QList<QByteArray> not_counts{"",
                                       "null",
                                       "\"64\"",
                                       "true",
                                       "[64]",
                                       "{}",
                                       "64.5",
                                       "-1",
                                       "0",
                                       "-9223372036854775808",
                                       "1e300",
                                       "1e999",
                                       "9223372036854775807",
                                       "18446744073709551615",
                                       "123456789012345678901234567890"};
    const auto add = [](const QString& holder, const QString& key, const QByteArray& value) {
      QTest::addRow("%s.%s = %s", qPrintable(holder), qPrintable(key), value.isEmpty() ? "(missing)" : value.data())
          << holder << key << value;
    };
    for (const char* key : {"hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
                            "vocab_size", "max_position_embeddings"}) {
      for (const QByteArray& value : not_counts) add(text, key, value);
    }
    for (const char* key : {"head_dim", "num_key_value_heads"}) {  // optional
      for (const QByteArray& value : not_counts) {
        if (!value.isEmpty() && value != "null") add(text, key, value);
      }
    }
    for (const char* value : {"3", "30", "260", "1048576"}) add(text, "head_dim", value);
    for (const char* value : {"\"1e-6\"", "true", "0", "-1e-6", "1", "1e999", "[]"}) add(text, "rms_norm_eps", value);
    for (const char* value : {"1", "\"false\"", "true", "[]"}) add(text, "attention_bias", value);
    for (const char* value : {"\"gelu\"", "1", "{}"}) add(text, "hidden_act", value);
    const QString rope = "text_config.rope_parameters";
    for (const char* value : {"", "\"1\"", "0", "1", "-10000", "1e999", "[]"}) add(rope, "rope_theta", value);
    for (const char* value : {"\"yarn\"", "\"linear\"", "\"dynamic\"", "\"llama3\"", "7"})
      add(rope, "rope_type", value);
    for (const char* value :
         {"[7, 5]", "[7, 5, 4, 0]", "[7, 5, -4]", "[7, 5, 4.5]", "[7, 5, 99999999999]", "16", "\"7,5,4\"", "[]"}) {
      add(rope, "mrope_section", value);
    }
    add(text, "rope_parameters", "[]");
    for (const char* value : {"", "null", "[]", "\"x\"", "3"}) {
      add("", "text_config", value);
      add("", "vision_config", value);
    }
    for (const char* value : {"", "null", "[]", "3"}) add("", "model_type", value);
    for (const char* key : {"image_token_id", "vision_start_token_id", "vision_end_token_id"}) {
      for (const char* value : {"-1", "1.5", "\"30\"", "[30]", "18446744073709551615"}) add("", key, value);
    }
    for (const char* value : {"\"true\"", "1", "[]"}) add("", "tie_word_embeddings", value);
    for (const char* value : {"1", "[]", "\"int8\""}) add("", "dtype", value);
    for (const char* value : {"3", "\"0\"", "[-1]", "[0.5]", "{}", "[99999999999999999999]"}) {
      add("vision_config", "deepstack_visual_indexes", value);
    }
  }
  void wrong_values() {
    QFETCH(QString, holder);
    QFETCH(QString, key);
    QFETCH(QByteArray, value);
    json config = qwen3_vl_config();
    json& object = *find_holder(config, holder);
    const std::string marker = "the value goes here";
    object[key.toStdString()] = marker;
    if (value.isEmpty()) object.erase(key.toStdString());
    // Put in as text: what is no number for the library is one for whoever wrote the file.
    QByteArray text = QByteArray::fromStdString(config.dump());
    text.replace(QByteArray::fromStdString('"' + marker + '"'), value);
    const ConfigFolder folder;
    folder.write("config.json", text);
    const std::string message = message_of(folder.read());
    if (value == "1e999") {
      verify_names(message, "config.json", "");  // refused as JSON already
      return;
    }
    const bool is_type = key == "rope_type";
    verify_names(message, "config.json", is_type && value != "7" ? "RoPE of type" : key.toStdString());
  }

  void what_does_not_fit_together() {
    json config = qwen3_vl_config();
    config["text_config"]["num_key_value_heads"] = 3;
    verify_names(message_of(read_config(config)), "config.json", "4 attention heads cannot share 3 key/value heads");
    config = qwen3_vl_config();
    config["image_token_id"] = 40;
    verify_names(message_of(read_config(config)), "config.json", "picture token 40 lies outside the vocabulary of 40");
    config = qwen3_vl_config();
    config["text_config"]["num_hidden_layers"] = 2;
    verify_names(message_of(read_config(config)), "config.json", "more DeepStack features than the decoder has layers");
  }
};

QTEST_APPLESS_MAIN(Qwen3VlConfigTest)
#include "tst_qwen3_vl_config.moc"
