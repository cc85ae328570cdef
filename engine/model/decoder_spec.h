// What differs between decoder families, as data: one decoder (decoder.h) reads it. A new family is a new spec and a
// table of tensor names.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/backend/backend.h"

namespace poplens {

// One rotary embedding. Pair j of a head rotates by position[axis[j]] * inverse_frequency[j]; every scaling (linear,
// llama3) is already in the frequencies. Plain text has the same position on all axes, so axis 0 throughout is 1-D
// RoPE.
struct RopeSpec {
  std::vector<float> inverse_frequency;  // [head_dim / 2]
  std::vector<uint8_t> axis;             // [head_dim / 2]: 0 temporal, 1 height, 2 width
};

struct LayerSpec {
  int64_t window = 0;  // keys visible including the query's own (sliding attention); 0: all
  int rope = 0;        // index into DecoderSpec::ropes
};

struct DecoderSpec {
  int64_t hidden = 0;
  int64_t intermediate = 0;
  int heads = 0;
  int kv_heads = 0;
  int head_dim = 0;
  int64_t vocab = 0;    // rows of the embedding; the tokenizer may use fewer
  int64_t context = 0;  // positions that the model was made for

  std::vector<LayerSpec> layers;
  std::vector<RopeSpec> ropes;

  float norm_eps = 0.0F;
  float norm_offset = 0.0F;  // added to every norm weight when it is read (Gemma stores w - 1)
  bool qk_norm = false;      // RMS norm of every query and key head before RoPE
  bool post_norms = false;   // a norm on what attention and feed-forward add to the residual (Gemma)
  Activation activation = Activation::silu;
  float attention_scale = 0.0F;
  float embed_scale = 1.0F;
  bool round_embed_scale = false;  // rounded to bf16 when the model computes in bf16, as transformers does (Gemma)
  bool tied_head = false;

  int deepstack_layers = 0;         // outputs of layers 0..n-1 get picture features added at picture tokens (Qwen3-VL)
  bool image_positions_2d = false;  // picture tokens are placed on (t, h, w) (M-RoPE); else they count as text does
  bool image_attends_both_ways = false;  // tokens of one picture see each other whatever their order (Gemma-3)

  int64_t query_width() const { return static_cast<int64_t>(heads) * head_dim; }
  int64_t kv_width() const { return static_cast<int64_t>(kv_heads) * head_dim; }
  int layer_count() const { return static_cast<int>(layers.size()); }
};

}  // namespace poplens
