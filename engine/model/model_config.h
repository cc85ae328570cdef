// What a model folder's config.json says: the decoder's spec, where its tensors are, the tokens with a meaning.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend/tensor.h"
#include "engine/base/json_file.h"
#include "engine/base/result.h"
#include "engine/model/decoder_spec.h"

namespace poplens {

// Names of one family's decoder tensors. A layer's tensor is prefix + "layers.<i>." + name + ".weight".
struct TensorNames {
  std::vector<std::string> prefixes;  // spellings of different exporters, tried in order
  std::vector<std::string> heads;     // full names of an untied output head, tried in order
  std::string pre_feedforward_norm;
  std::string post_attention_norm;    // only with DecoderSpec::post_norms
  std::string post_feedforward_norm;  // only with DecoderSpec::post_norms
};

// Token ids that frame pictures.
struct ImageTokens {
  int32_t start = -1;
  int32_t pad = -1;  // stands for one picture feature
  int32_t end = -1;
};

// generation_config.json, with the library's defaults for what it leaves out.
struct GenerationDefaults {
  bool sample = false;
  double temperature = 1.0;
  double top_p = 1.0;
  double min_p = 0.0;
  int top_k = 0;
  double repetition_penalty = 1.0;
  std::vector<int32_t> stop_tokens;
};

struct ModelConfig {
  std::string family;  // "qwen3_vl"
  DecoderSpec decoder;
  TensorNames names;
  std::optional<ImageTokens> image_tokens;  // nothing: the model reads no pictures
  std::optional<JsonObject> vision_config;  // read by the vision room
  DType stored_dtype = DType::bf16;
  GenerationDefaults generation;
};

// Reads config.json (and generation_config.json, if there) of a Hugging Face folder, in the spellings of transformers 4
// and 5. An unknown, mixture-of-experts or quantised model is refused by name.
Result<ModelConfig> read_model_config(const std::filesystem::path& folder);

}  // namespace poplens
