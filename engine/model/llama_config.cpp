#include "engine/model/llama_config.h"

#include "engine/model/config_fields.h"

namespace poplens {

Result<ModelConfig> read_llama_config(const JsonObject& config) {
  ModelConfig model;
  model.family = "llama";
  POPLENS_TRY(spec, read_decoder_sizes(config, 0));
  POPLENS_TRY(activation, config.text("hidden_act", "silu"));
  POPLENS_TRY(mlp_bias, config.boolean("mlp_bias", false));
  POPLENS_TRY(tied, config.boolean("tie_word_embeddings", false));
  if (activation != "silu") return Error{config.where() + ": 'hidden_act' is '" + activation + "', expected 'silu'"};
  if (mlp_bias) return Error{config.where() + ": 'mlp_bias' is true, which this engine does not support"};

  JsonObject rope = JsonObject::empty(config.where());
  for (const char* key : {"rope_parameters", "rope_scaling"}) {
    if (!config.has(key)) continue;
    POPLENS_TRY(found, config.object(key));
    rope = found;
    break;
  }
  POPLENS_TRY(theta, rope.has("rope_theta") ? rope.number("rope_theta") : config.number("rope_theta", 10000.0));
  POPLENS_TRY(scaled, read_scaled_rope(rope, theta, spec.head_dim, config));
  spec.ropes = {scaled};
  spec.tied_head = tied;

  model.decoder = std::move(spec);
  model.names = {.prefixes = {"model."},
                 .heads = {"lm_head.weight"},
                 .pre_feedforward_norm = "post_attention_layernorm",
                 .post_attention_norm = {},
                 .post_feedforward_norm = {}};
  return model;
}

}  // namespace poplens
