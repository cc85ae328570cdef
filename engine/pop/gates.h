// Virtual gates (arXiv 2602.03295, section 3): factors on what a layer's two branches add to the residual stream,
//   h' = h + attention * Attn(h),   h[l+1] = h' + ffn * FFN(h'),
// with one set for the positions of each stage. With post norms (Gemma) the factor acts behind the norm. Keys and
// values are computed whatever the factors, and what is added outside the branches (DeepStack features) stays. All 1 is
// the model as it is; 0 for the prefill of a layer is a plan that prunes it.
#pragma once

#include <cstdint>
#include <vector>

namespace poplens {

struct LayerGates {
  float attention = 1.0F;
  float ffn = 1.0F;

  bool operator==(const LayerGates&) const = default;
};

struct VirtualGates {
  std::vector<LayerGates> prefill;  // [layers], at sequence positions below decode_from
  std::vector<LayerGates> decode;   // [layers], from decode_from on
  int64_t decode_from = 0;

  // All 1.
  static VirtualGates open(int layer_count, int64_t decode_from) {
    const std::vector<LayerGates> ones(static_cast<size_t>(layer_count));
    return {ones, ones, decode_from};
  }
};

}  // namespace poplens
