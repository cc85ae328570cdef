// A model folder with the config files that a test asks for, and nothing else.
#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "engine/model/model_config.h"

namespace poplens::test {

using nlohmann::json;

class ConfigFolder {
 public:
  void write(const char* name, const QByteArray& text) const {
    const QString path = folder_.filePath(name);
    QFile::remove(path);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write the test's own file");
  }
  void write(const char* name, const json& value) const { write(name, QByteArray::fromStdString(value.dump())); }
  Result<ModelConfig> read() const { return read_model_config(path()); }
  std::filesystem::path path() const { return folder_.path().toStdString(); }

 private:
  QTemporaryDir folder_;
};

inline Result<ModelConfig> read_config(const json& config) {
  const ConfigFolder folder;
  folder.write("config.json", config);
  return folder.read();
}

// The error's sentence; empty if there is none.
template <typename T>
std::string message_of(const Result<T>& result) {
  return result.ok() ? std::string() : result.error().message;
}

// One sentence that names the file and what is wrong in it.
inline void verify_names(const std::string& message, const std::string& file, const std::string& what) {
  const bool names_both = message.find(file) != std::string::npos && message.find(what) != std::string::npos;
  QVERIFY2(names_both && message.find('\n') == std::string::npos, message.empty() ? "no error" : message.c_str());
}

// A small Qwen3-VL in the spelling of transformers 5.
inline json qwen3_vl_config() {
  return {{"model_type", "qwen3_vl"},
          {"image_token_id", 30},
          {"vision_start_token_id", 31},
          {"vision_end_token_id", 32},
          {"tie_word_embeddings", true},
          {"dtype", "bfloat16"},
          {"text_config",
           {{"model_type", "qwen3_vl_text"},
            {"hidden_size", 64},
            {"intermediate_size", 96},
            {"num_hidden_layers", 8},
            {"num_attention_heads", 4},
            {"num_key_value_heads", 2},
            {"head_dim", 32},
            {"vocab_size", 40},
            {"max_position_embeddings", 4096},
            {"rms_norm_eps", 1e-5},
            {"hidden_act", "silu"},
            {"attention_bias", false},
            {"rope_parameters",
             {{"rope_type", "default"},
              {"rope_theta", 10000.0},
              {"mrope_interleaved", true},
              {"mrope_section", {7, 5, 4}}}}}},
          {"vision_config", {{"depth", 4}, {"deepstack_visual_indexes", {0, 1, 3}}}}};
}

}  // namespace poplens::test
