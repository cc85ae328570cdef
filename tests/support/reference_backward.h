// The ways back of the backend's operations in double precision, with bounds as in reference_ops.h.
#pragma once

#include "tests/support/reference_ops.h"

namespace poplens::test {

// d/dx of activated(x); silu or gelu_tanh.
double activation_slope(double x, Activation activation);

struct GatedGradients {
  Reference gate;
  Reference up;
};
GatedGradients gated_product_backward(const Values& grad, const Values& gate, const Values& up, Activation activation);

// weight: [1, d] or null.
Reference rms_norm_backward(const Values& x, const Values* weight, double eps, const Values& grad);
// cos, sin: [m, head_dim / 2], or both null.
Reference norm_rotate_heads_backward(const Values& x, int head_dim, const Values* norm_weight, double eps,
                                     const Values* cos, const Values* sin, const Values& grad);

struct AttentionGradients {
  Values result;  // of the attention itself, [m, heads * head_dim]
  Reference q;    // [m, heads * head_dim]
  Reference k;    // [n, kv_heads * head_dim]
  Reference v;
};
AttentionGradients attention_backward(const AttentionShape& shape, const Values& q, const Values& k, const Values& v,
                                      std::span<const KeyRange> ranges, const Values& grad);

}  // namespace poplens::test
