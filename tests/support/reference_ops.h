// The backend's operations (engine/backend/backend.h) in double precision, written like their formulas, and with each
// result the bound of the error that a backend may have. All bounds are absolute and hold for one element.
//
// A sum of n products that is carried in f32 in any order is allowed (4 + sqrt n) * 2^-24 times the sum of the
// products' sizes: rounding errors are independent, so they grow like sqrt n; a wrong or missing term, a sum in bf16 or
// a lost block is far outside.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/backend/backend.h"
#include "tests/support/values.h"

namespace poplens::test {

struct Reference {
  Values value;
  Values bound;
};

// Adds to the bound what storing the result as `dtype` costs, on top of `old` if that is given (accumulate).
Reference stored(Reference result, DType dtype, const Values* old = nullptr);

double activated(double x, Activation activation);
// The bound of activated(x) computed in f32 from an x that is off by `x_bound`.
double activation_bound(double x, double x_bound, Activation activation);

struct LinearOptions {
  const Values* column_scale = nullptr;  // [1, k]
  const Values* bias = nullptr;          // [1, n]
  Activation activation = Activation::none;
};
// act(x · (weight * column_scale)^T + bias). x [m, k] of x_type, weight [n, k] of weight_type: where x is bf16 and the
// weight is not, or is scaled, the weight may be rounded to bf16.
Reference linear(const Values& x, DType x_type, const Values& weight, DType weight_type, const LinearOptions& options);
// act(x · gate^T) * (x · up^T)
Reference gated_linear(const Values& x, DType x_type, const Values& gate, const Values& up, DType weight_type,
                       Activation activation);

// weight, bias: [1, d] or null.
Reference rms_norm(const Values& x, const Values* weight, double eps);
Reference layer_norm(const Values& x, const Values* weight, const Values* bias, double eps);
// cos, sin: [m, head_dim / 2], or both null.
Reference norm_rotate_heads(const Values& x, int head_dim, const Values* norm_weight, double eps, const Values* cos,
                            const Values* sin);

// q [m, heads * head_dim], k and v [n, kv_heads * head_dim], all of `type`: in bf16 the softmax may be rounded to bf16.
Reference attention(const AttentionShape& shape, const Values& q, const Values& k, const Values& v, DType type,
                    std::span<const KeyRange> ranges);

}  // namespace poplens::test
