#include "engine/model/decoder_weights.h"

namespace poplens {
namespace {

Result<std::string> find_prefix(const TensorNames& names, const WeightSource& source) {
  std::string tried;
  for (const std::string& prefix : names.prefixes) {
    if (source.has(prefix + "embed_tokens.weight")) return prefix;
    tried += (tried.empty() ? "" : ", ") + prefix + "embed_tokens.weight";
  }
  return Error{"the checkpoint has no token embedding (looked for " + tried + ")"};
}

Result<LayerWeights> load_layer(const DecoderSpec& spec, const TensorNames& names, const std::string& prefix,
                                const WeightSource& source, Backend& backend) {
  const auto matrix = [&](const char* name, int64_t rows, int64_t cols) {
    return place_matrix(source, backend, prefix + name + ".weight", rows, cols);
  };
  const auto norm = [&](const std::string& name, int64_t n) {
    return place_vector(source, backend, prefix + name + ".weight", n, spec.norm_offset);
  };
  LayerWeights layer;
  POPLENS_TRY(input_norm, norm("input_layernorm", spec.hidden));
  POPLENS_TRY(q, matrix("self_attn.q_proj", spec.query_width(), spec.hidden));
  POPLENS_TRY(k, matrix("self_attn.k_proj", spec.kv_width(), spec.hidden));
  POPLENS_TRY(v, matrix("self_attn.v_proj", spec.kv_width(), spec.hidden));
  POPLENS_TRY(o, matrix("self_attn.o_proj", spec.hidden, spec.query_width()));
  POPLENS_TRY(pre_feedforward_norm, norm(names.pre_feedforward_norm, spec.hidden));
  POPLENS_TRY(gate, matrix("mlp.gate_proj", spec.intermediate, spec.hidden));
  POPLENS_TRY(up, matrix("mlp.up_proj", spec.intermediate, spec.hidden));
  POPLENS_TRY(down, matrix("mlp.down_proj", spec.hidden, spec.intermediate));
  layer = {.input_norm = input_norm,
           .q = q,
           .k = k,
           .v = v,
           .q_norm = {},
           .k_norm = {},
           .o = o,
           .post_attention_norm = {},
           .pre_feedforward_norm = pre_feedforward_norm,
           .gate = gate,
           .up = up,
           .down = down,
           .post_feedforward_norm = {}};
  if (spec.qk_norm) {
    POPLENS_TRY(q_norm, norm("self_attn.q_norm", spec.head_dim));
    POPLENS_TRY(k_norm, norm("self_attn.k_norm", spec.head_dim));
    layer.q_norm = q_norm;
    layer.k_norm = k_norm;
  }
  if (spec.post_norms) {
    POPLENS_TRY(post_attention, norm(names.post_attention_norm, spec.hidden));
    POPLENS_TRY(post_feedforward, norm(names.post_feedforward_norm, spec.hidden));
    layer.post_attention_norm = post_attention;
    layer.post_feedforward_norm = post_feedforward;
  }
  return layer;
}

}  // namespace

Result<DecoderWeights> load_decoder_weights(const DecoderSpec& spec, const TensorNames& names,
                                            const WeightSource& source, Backend& backend) {
  POPLENS_TRY(prefix, find_prefix(names, source));
  DecoderWeights weights;
  POPLENS_TRY(embed, place_matrix(source, backend, prefix + "embed_tokens.weight", spec.vocab, spec.hidden));
  weights.embed = embed;
  for (int l = 0; l < spec.layer_count(); ++l) {
    const std::string layer_prefix = prefix + "layers." + std::to_string(l) + ".";
    POPLENS_TRY(layer, load_layer(spec, names, layer_prefix, source, backend));
    weights.layers.push_back(std::move(layer));
  }
  POPLENS_TRY(norm, place_vector(source, backend, prefix + "norm.weight", spec.hidden, spec.norm_offset));
  weights.norm = norm;

  // A head that is stored is used even where the config ties it: that is what transformers does with a copy that
  // differs.
  for (const std::string& head : names.heads) {
    if (!source.has(head)) continue;
    POPLENS_TRY(placed, place_matrix(source, backend, head, spec.vocab, spec.hidden));
    weights.head = placed;
    return weights;
  }
  if (!spec.tied_head) return Error{"the checkpoint has no output head ('" + names.heads.front() + "')"};
  weights.head = weights.embed;
  return weights;
}

}  // namespace poplens
