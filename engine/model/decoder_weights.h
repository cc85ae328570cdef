// The tensors of a decoder, in a backend's memory.
#pragma once

#include <vector>

#include "engine/model/device_weights.h"
#include "engine/model/model_config.h"

namespace poplens {

struct LayerWeights {
  DeviceVector input_norm;             // [hidden]
  DeviceMatrix q, k, v;                // [heads * head_dim, hidden], [kv_heads * head_dim, hidden] twice
  DeviceVector q_norm, k_norm;         // [head_dim], with DecoderSpec::qk_norm
  DeviceMatrix o;                      // [hidden, heads * head_dim]
  DeviceVector post_attention_norm;    // [hidden], with DecoderSpec::post_norms
  DeviceVector pre_feedforward_norm;   // [hidden]
  DeviceMatrix gate, up;               // [intermediate, hidden]
  DeviceMatrix down;                   // [hidden, intermediate]
  DeviceVector post_feedforward_norm;  // [hidden], with DecoderSpec::post_norms
};

struct DecoderWeights {
  DeviceMatrix embed;  // [vocab, hidden]
  std::vector<LayerWeights> layers;
  DeviceVector norm;  // [hidden]
  DeviceMatrix head;  // [vocab, hidden]; the embedding where the head is tied
};

// Finds every tensor under one of the names' spellings and checks its shape against the spec.
Result<DecoderWeights> load_decoder_weights(const DecoderSpec& spec, const TensorNames& names,
                                            const WeightSource& source, Backend& backend);

}  // namespace poplens
