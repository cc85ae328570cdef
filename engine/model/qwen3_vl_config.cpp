#include "engine/model/qwen3_vl_config.h"

#include "engine/model/config_fields.h"

namespace poplens {
namespace {

constexpr int kHeadDimDefault = 128;
constexpr int64_t kMostTokens = 1 << 24;

// rope_parameters (transformers 5), else rope_scaling and rope_theta side by side (transformers 4).
Result<RopeSpec> read_rope(const JsonObject& text, int head_dim) {
  JsonObject rope = JsonObject::empty(text.where());
  for (const char* key : {"rope_parameters", "rope_scaling"}) {
    if (!text.has(key)) continue;
    POPLENS_TRY(found, text.object(key));
    rope = found;
    break;
  }
  POPLENS_TRY(type, rope.text(rope.has("rope_type") ? "rope_type" : "type", "default"));
  if (type != "default") {
    return Error{rope.where() + ": RoPE of type '" + type + "' is not supported for Qwen3-VL (only 'default')"};
  }
  POPLENS_TRY(theta, rope.has("rope_theta") ? rope.number("rope_theta") : text.number("rope_theta"));
  if (theta <= 1.0) return Error{rope.where() + ": 'rope_theta' is out of range"};

  std::vector<int64_t> section{24, 20, 20};
  if (rope.has("mrope_section")) {
    POPLENS_TRY(found, rope.integers("mrope_section", 0, head_dim, 3));
    if (found.size() != 3) return Error{rope.where() + ": 'mrope_section' does not have 3 entries"};
    section = found;
  }

  RopeSpec spec;
  spec.inverse_frequency = inverse_frequencies(theta, head_dim);
  spec.axis.assign(spec.inverse_frequency.size(), 0);
  // Interleaved M-RoPE: every third pair from 1 on turns by the row, from 2 on by the column.
  for (const size_t axis : {size_t{1}, size_t{2}}) {
    const auto end = std::min(spec.axis.size(), static_cast<size_t>(3 * section[axis]));
    for (size_t j = axis; j < end; j += 3) spec.axis[j] = static_cast<uint8_t>(axis);
  }
  return spec;
}

}  // namespace

Result<ModelConfig> read_qwen3_vl_config(const JsonObject& config) {
  ModelConfig model;
  model.family = "qwen3_vl";
  POPLENS_TRY(text, config.object("text_config"));
  POPLENS_TRY(spec, read_decoder_sizes(text, kHeadDimDefault));
  POPLENS_TRY(activation, text.text("hidden_act", "silu"));
  if (activation != "silu") return Error{text.where() + ": 'hidden_act' is '" + activation + "', expected 'silu'"};
  POPLENS_TRY(rope, read_rope(text, spec.head_dim));
  spec.ropes = {rope};
  spec.qk_norm = true;
  POPLENS_TRY(tied, config.boolean("tie_word_embeddings", false));
  spec.tied_head = tied;
  spec.image_positions_2d = true;

  POPLENS_TRY(vision, config.object("vision_config"));
  if (vision.has("deepstack_visual_indexes")) {
    POPLENS_TRY(indexes, vision.integers("deepstack_visual_indexes", 0, 1'000, 1'000));
    spec.deepstack_layers = static_cast<int>(indexes.size());
  } else {
    spec.deepstack_layers = 3;
  }
  if (spec.deepstack_layers > spec.layer_count()) {
    return Error{vision.where() + ": more DeepStack features than the decoder has layers"};
  }

  POPLENS_TRY(pad, config.integer("image_token_id", 0, kMostTokens, 151655));
  POPLENS_TRY(start, config.integer("vision_start_token_id", 0, kMostTokens, 151652));
  POPLENS_TRY(end, config.integer("vision_end_token_id", 0, kMostTokens, 151653));
  for (const int64_t id : {pad, start, end}) {
    if (id >= spec.vocab) {
      return Error{config.where() + ": picture token " + std::to_string(id) + " lies outside the vocabulary of " +
                   std::to_string(spec.vocab)};
    }
  }

  model.decoder = std::move(spec);
  model.names = {
      .prefixes = {"model.language_model.", "language_model.model.", "model."},
      .heads = {"lm_head.weight", "language_model.lm_head.weight"},
      .pre_feedforward_norm = "post_attention_layernorm",
      .post_attention_norm = {},
      .post_feedforward_norm = {},
  };
  model.image_tokens = ImageTokens{static_cast<int32_t>(start), static_cast<int32_t>(pad), static_cast<int32_t>(end)};
  model.vision_config = vision;
  return model;
}

}  // namespace poplens
