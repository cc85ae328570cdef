#include "app/cli/published_shapes.h"

#include <nlohmann/json.hpp>

#include "engine/model/gemma3_config.h"
#include "engine/model/llama_config.h"
#include "engine/model/qwen3_vl_config.h"

namespace poplens::cli {
namespace {

using nlohmann::json;

struct Shape {
  const char* name;
  Result<ModelConfig> (*read)(const JsonObject& config);
  json config;
};

struct Sizes {
  int hidden, intermediate, layers, heads, kv_heads, head_dim;
};

json text_config(const Sizes& sizes) {
  return {{"hidden_size", sizes.hidden},
          {"intermediate_size", sizes.intermediate},
          {"num_hidden_layers", sizes.layers},
          {"num_attention_heads", sizes.heads},
          {"num_key_value_heads", sizes.kv_heads},
          {"head_dim", sizes.head_dim},
          {"rms_norm_eps", 1e-6}};
}

json qwen3_vl(const Sizes& sizes, bool tied, bool large_vision) {
  json text = text_config(sizes);
  text.update({{"vocab_size", 151936}, {"max_position_embeddings", 262144}, {"rope_theta", 5e6}});
  text["rope_scaling"] = {{"rope_type", "default"}, {"mrope_section", {24, 20, 20}}, {"mrope_interleaved", true}};
  json vision = {{"num_heads", 16}, {"out_hidden_size", sizes.hidden}};
  if (large_vision) {
    vision.update({{"depth", 27}, {"hidden_size", 1152}, {"intermediate_size", 4304}});
    vision["deepstack_visual_indexes"] = {8, 16, 24};
  } else {
    vision.update({{"depth", 24}, {"hidden_size", 1024}, {"intermediate_size", 4096}});
    vision["deepstack_visual_indexes"] = {5, 11, 17};
  }
  return {{"tie_word_embeddings", tied}, {"text_config", text}, {"vision_config", vision}};
}

json gemma3(const Sizes& sizes, int window, int context, int query_scalar) {
  json text = text_config(sizes);
  text.update({{"vocab_size", 262144},
               {"sliding_window", window},
               {"max_position_embeddings", context},
               {"query_pre_attn_scalar", query_scalar}});
  return text;
}

// The sizes that read pictures; their tower is not timed.
json gemma3_with_vision(const Sizes& sizes, int query_scalar) {
  json text = gemma3(sizes, 1024, 131072, query_scalar);
  text["vocab_size"] = 262208;
  text["rope_scaling"] = {{"rope_type", "linear"}, {"factor", 8.0}};
  const json vision = {{"hidden_size", 1152},     {"image_size", 896},         {"intermediate_size", 4304},
                       {"num_hidden_layers", 27}, {"num_attention_heads", 16}, {"patch_size", 14}};
  return {{"text_config", text},         {"vision_config", vision},   {"mm_tokens_per_image", 256},
          {"image_token_index", 262144}, {"boi_token_index", 255999}, {"eoi_token_index", 256000}};
}

json llama31_8b() {
  json config = text_config({4096, 14336, 32, 32, 8, 128});
  config.update({{"vocab_size", 128256}, {"max_position_embeddings", 131072}, {"rope_theta", 5e5}});
  config["rms_norm_eps"] = 1e-5;
  config["rope_scaling"] = {{"rope_type", "llama3"},
                            {"factor", 8.0},
                            {"low_freq_factor", 1.0},
                            {"high_freq_factor", 4.0},
                            {"original_max_position_embeddings", 8192}};
  return config;
}

std::vector<Shape> shapes() {
  return {
      {"qwen3-vl-2b", read_qwen3_vl_config, qwen3_vl({2048, 6144, 28, 16, 8, 128}, true, false)},
      {"qwen3-vl-4b", read_qwen3_vl_config, qwen3_vl({2560, 9728, 36, 32, 8, 128}, true, false)},
      {"qwen3-vl-8b", read_qwen3_vl_config, qwen3_vl({4096, 12288, 36, 32, 8, 128}, false, true)},
      {"qwen3-vl-32b", read_qwen3_vl_config, qwen3_vl({5120, 25600, 64, 64, 8, 128}, false, true)},
      {"gemma3-270m", read_gemma3_config, gemma3({640, 2048, 18, 4, 1, 256}, 512, 32768, 256)},
      {"gemma3-1b", read_gemma3_config, gemma3({1152, 6912, 26, 4, 1, 256}, 512, 32768, 256)},
      {"gemma3-4b", read_gemma3_config, gemma3_with_vision({2560, 10240, 34, 8, 4, 256}, 256)},
      {"gemma3-12b", read_gemma3_config, gemma3_with_vision({3840, 15360, 48, 16, 8, 256}, 256)},
      {"gemma3-27b", read_gemma3_config, gemma3_with_vision({5376, 21504, 62, 32, 16, 128}, 168)},
      {"llama-3.1-8b", read_llama_config, llama31_8b()},
  };
}

}  // namespace

Result<ModelConfig> published_shape(const std::string& name) {
  std::string known;
  for (const Shape& shape : shapes()) {
    if (name == shape.name) return shape.read(JsonObject(shape.config, name));
    known += (known.empty() ? "" : ", ") + std::string(shape.name);
  }
  return Error{"'" + name + "' is unknown (known: " + known + ")"};
}

}  // namespace poplens::cli
