#include "engine/model/gemma3_config.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/model/config_fields.h"

namespace poplens {
namespace {

constexpr int64_t kMostTokens = 1 << 24;
constexpr int64_t kMostContext = int64_t{1} << 30;

// The published files leave out what equals the class's defaults (the 4B's most of all).
nlohmann::json text_defaults() {
  return {{"vocab_size", 262208},
          {"hidden_size", 2304},
          {"intermediate_size", 9216},
          {"num_hidden_layers", 26},
          {"num_attention_heads", 8},
          {"num_key_value_heads", 4},
          {"head_dim", 256},
          {"max_position_embeddings", 131072},
          {"rms_norm_eps", 1e-6},
          {"query_pre_attn_scalar", 256},
          {"sliding_window", 4096},
          {"hidden_activation", "gelu_pytorch_tanh"},
          {"sliding_window_pattern", 6},
          {"use_bidirectional_attention", false}};
}

JsonObject with_defaults(const JsonObject& text) {
  nlohmann::json merged = text_defaults();
  for (const auto& [key, value] : text.value().items()) {
    if (!value.is_null()) merged[key] = value;
  }
  return {merged, text.where()};
}

// Which layers slide: `layer_types`, else every `sliding_window_pattern`-th layer is global.
Result<std::vector<bool>> read_sliding_layers(const JsonObject& text, size_t layers) {
  std::vector<bool> sliding(layers);
  if (text.has("layer_types")) {
    const nlohmann::json& types = text.value().at("layer_types");
    if (!types.is_array() || types.size() != layers) {
      return Error{text.where() + ": 'layer_types' does not list one type for each of the " + std::to_string(layers) +
                   " layers"};
    }
    for (size_t l = 0; l < layers; ++l) {
      if (types[l] != "sliding_attention" && types[l] != "full_attention") {
        return Error{text.where() + ": 'layer_types' holds something else than sliding_attention and full_attention"};
      }
      sliding[l] = types[l] == "sliding_attention";
    }
    return sliding;
  }
  POPLENS_TRY(pattern, text.integer("sliding_window_pattern", 1, 1'000));
  for (size_t l = 0; l < layers; ++l) sliding[l] = (l + 1) % static_cast<size_t>(pattern) != 0;
  return sliding;
}

// rope_parameters[kind] (transformers 5); where that or its theta is missing, the keys of transformers 4.
Result<RopeSpec> read_rope(const JsonObject& text, const char* kind, const char* theta_key, double default_theta,
                           bool legacy_scaling, int head_dim) {
  JsonObject rope = JsonObject::empty(text.where());
  if (text.has("rope_parameters")) {
    POPLENS_TRY(all, text.object("rope_parameters"));
    if (all.has(kind)) {
      POPLENS_TRY(found, all.object(kind));
      rope = found;
    }
  } else if (legacy_scaling && text.has("rope_scaling")) {
    POPLENS_TRY(found, text.object("rope_scaling"));
    rope = found;
  }
  POPLENS_TRY(theta, rope.has("rope_theta") ? rope.number("rope_theta") : text.number(theta_key, default_theta));
  return read_scaled_rope(rope, theta, head_dim, text);
}

Result<ImageTokens> read_image_tokens(const JsonObject& config, int64_t vocab) {
  const char* pad_key = config.has("image_token_id") ? "image_token_id" : "image_token_index";
  const char* start_key = config.has("boi_token_id") ? "boi_token_id" : "boi_token_index";
  const char* end_key = config.has("eoi_token_id") ? "eoi_token_id" : "eoi_token_index";
  POPLENS_TRY(pad, config.integer(pad_key, 0, kMostTokens, 262144));
  POPLENS_TRY(start, config.integer(start_key, 0, kMostTokens, 255999));
  POPLENS_TRY(end, config.integer(end_key, 0, kMostTokens, 256000));
  for (const int64_t id : {pad, start, end}) {
    if (id >= vocab) {
      return Error{config.where() + ": picture token " + std::to_string(id) + " lies outside the vocabulary of " +
                   std::to_string(vocab)};
    }
  }
  return ImageTokens{static_cast<int32_t>(start), static_cast<int32_t>(pad), static_cast<int32_t>(end)};
}

}  // namespace

Result<ModelConfig> read_gemma3_config(const JsonObject& config) {
  ModelConfig model;
  model.family = "gemma3";
  const bool flat = !config.has("text_config");
  JsonObject given = config;
  if (!flat) {
    POPLENS_TRY(found, config.object("text_config"));
    given = found;
  }
  const JsonObject text = with_defaults(given);
  POPLENS_TRY(spec, read_decoder_sizes(text, 256));
  POPLENS_TRY(activation, text.text("hidden_activation"));
  POPLENS_TRY(both_ways, text.boolean("use_bidirectional_attention"));
  POPLENS_TRY(scalar, text.number("query_pre_attn_scalar"));
  POPLENS_TRY(window, text.integer("sliding_window", 1, kMostContext));
  POPLENS_TRY(sliding, read_sliding_layers(text, spec.layers.size()));
  POPLENS_TRY(global, read_rope(text, "full_attention", "rope_theta", 1e6, true, spec.head_dim));
  POPLENS_TRY(local, read_rope(text, "sliding_attention", "rope_local_base_freq", 1e4, false, spec.head_dim));
  POPLENS_TRY(tied, config.boolean("tie_word_embeddings", true));
  if (activation != "gelu_pytorch_tanh") {
    return Error{text.where() + ": 'hidden_activation' is '" + activation + "', expected 'gelu_pytorch_tanh'"};
  }
  if (both_ways) {
    return Error{text.where() + ": 'use_bidirectional_attention' is true (an embedding model), which is not supported"};
  }
  if (flat && text.has("final_logit_softcapping")) {
    return Error{text.where() + ": 'final_logit_softcapping' is set, which is not supported"};
  }
  if (!(scalar > 0.0)) return Error{text.where() + ": 'query_pre_attn_scalar' is not positive"};

  spec.ropes = {global, local};
  for (size_t l = 0; l < spec.layers.size(); ++l) {
    if (sliding[l]) spec.layers[l] = {.window = window, .rope = 1};
  }
  spec.norm_offset = 1.0F;
  spec.qk_norm = true;
  spec.post_norms = true;
  spec.activation = Activation::gelu_tanh;
  spec.attention_scale = static_cast<float>(1.0 / std::sqrt(scalar));
  spec.embed_scale = static_cast<float>(std::sqrt(static_cast<double>(spec.hidden)));
  spec.round_embed_scale = true;
  spec.tied_head = tied;
  spec.image_attends_both_ways = true;

  if (config.has("vision_config")) {
    POPLENS_TRY(vision, config.object("vision_config"));
    POPLENS_TRY(tokens, read_image_tokens(config, spec.vocab));
    POPLENS_TRY(per_image, config.integer("mm_tokens_per_image", 1, 1 << 20, 256));
    nlohmann::json with_tokens = vision.value();
    with_tokens["mm_tokens_per_image"] = per_image;
    model.vision_config = JsonObject(with_tokens, vision.where());
    model.image_tokens = tokens;
  }
  model.decoder = std::move(spec);
  model.names = {
      .prefixes = {"model.language_model.", "language_model.model.", "model.language_model.model.", "model."},
      .heads = {"lm_head.weight", "language_model.lm_head.weight"},
      .pre_feedforward_norm = "pre_feedforward_layernorm",
      .post_attention_norm = "post_attention_layernorm",
      .post_feedforward_norm = "post_feedforward_layernorm",
  };
  return model;
}

}  // namespace poplens
