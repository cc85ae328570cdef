// What happens to a tile of sums before it is stored: bias, activation, the gate of a gated product, accumulation,
// conversion. Written for AVX2, used by all paths.
#pragma once

#include <cstdint>

#include "engine/backend/backend.h"

namespace poplens::cpu {

// out = act(sums + bias), or out += it. sums: [out.rows, out.cols] f32 with `stride`; bias: [out.cols] or
// null; out f32 or bf16.
void store_product(const float* sums, int64_t stride, const float* bias, Activation activation, bool accumulate,
                   Matrix out);

// out = act(gate) * up, all [out.rows, out.cols]; gate and up f32 with `stride`.
void store_gated(const float* gate, const float* up, int64_t stride, Activation activation, Matrix out);

// x[0, n) *= factor; n a multiple of 8.
void scale_row(float* x, int64_t n, float factor);

}  // namespace poplens::cpu
