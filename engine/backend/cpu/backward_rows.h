// The loops of the ways back, over one row of f32. Written for AVX2 and compiled for it alone; this header can be
// included anywhere. See elementwise_rows.h for the order of summation.
#pragma once

#include <cstdint>

#include "engine/backend/backend.h"

namespace poplens::cpu {

// gate[i], up[i] become grad[i] * up[i] * act'(gate[i]), grad[i] * act(gate[i]). silu or gelu_tanh.
void gated_product_backward_row(const float* grad, int64_t n, Activation activation, float* gate, float* up);

// out[i] = r u[i] - x[i] r^3 mean(u x), or += it: r = 1 / sqrt(mean(x^2) + eps), u[i] = grad[i] * weight[i]. weight:
// [n] or null for ones. out may be grad.
void rms_norm_backward_row(const float* x, int64_t n, const float* weight, float eps, const float* grad, float* out,
                           bool accumulate);

// For each of `heads` heads of grad, in place: the rotation turned back unless cos is null, then the way back through
// the norm of x's head unless norm_weight is null.
void norm_rotate_backward_row(const float* x, int heads, int head_dim, const float* norm_weight, float eps,
                              const float* cos, const float* sin, float* grad);

float dot_row(const float* a, const float* b, int64_t n);

// One row of a block of attention scores on its way back, n a multiple of 8. For i in [begin, end):
//   scores[i] becomes p = exp(scale * scores[i] - log_sums[i]),
//   grads[i]  becomes scale * p * (grads[i] - dots[i]);
// both become 0 elsewhere. log_sums, dots: [n].
void softmax_backward_row(int n, int begin, int end, float scale, const float* log_sums, const float* dots,
                          float* scores, float* grads);

}  // namespace poplens::cpu
