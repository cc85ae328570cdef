// The loops of the row-by-row operations, over one row. Written for AVX2 and compiled for it alone; this header can be
// included anywhere. Inputs are f32, f16 or bf16, outputs f32 or bf16; everything between is f32.
//
// Order of summation: value i is added to lane i mod 32 in rising order, and the 32 lanes are added pairwise; so a sum
// depends on the row alone, and its rounding error grows with n / 32.
#pragma once

#include <cstdint>

#include "engine/backend/tensor.h"

namespace poplens::cpu {

struct ConstRow {
  const void* data;
  DType dtype;
};
struct Row {
  void* data;
  DType dtype;
};

// out[i] = x[i] / sqrt(mean(x^2) + eps) * weight[i], or out[i] += that. weight: [n] or null for ones.
void rms_norm_row(const float* x, int64_t n, const float* weight, float eps, Row out, bool accumulate);

// out[i] = (x[i] - mean) / sqrt(variance + eps) * weight[i] + bias[i], the variance over n, not n - 1. weight, bias:
// [n], or null for ones and zeros.
void layer_norm_row(const float* x, int64_t n, const float* weight, const float* bias, float eps, Row out);

// For each of `heads` heads of x, in place: RMS norm with weight [head_dim] unless that is null; then, unless cos is
// null, (a, b) = (x[j], x[j + half]) becomes (a cos[j] - b sin[j], b cos[j] + a sin[j]), j < half = head_dim / 2.
void norm_rotate_row(Row x, int heads, int head_dim, const float* norm_weight, float eps, const float* cos,
                     const float* sin);

// out[i] = x[i] * scale.
void copy_scaled_row(ConstRow x, int64_t n, float scale, Row out);
// out[i] += scale * x[i].
void add_row(ConstRow x, int64_t n, float scale, Row out);

}  // namespace poplens::cpu
