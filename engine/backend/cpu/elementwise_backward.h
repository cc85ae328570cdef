// The ways back through the row-by-row operations; see engine/backend/backend.h. Everything is f32, and shared out as
// in elementwise.h.
#pragma once

#include <span>

#include "engine/backend/backend.h"
#include "engine/backend/cpu/thread_pool.h"

namespace poplens::cpu {

void gated_product(ConstMatrix gate, ConstMatrix up, Activation activation, Matrix out, ThreadPool& pool);
void gated_product_backward(ConstMatrix grad, Activation activation, Matrix gate, Matrix up, ThreadPool& pool);
void rms_norm_backward(ConstMatrix x, const float* weight, float eps, ConstMatrix grad, Matrix out, bool accumulate,
                       ThreadPool& pool);
void norm_rotate_heads_backward(ConstMatrix x, int head_dim, const float* norm_weight, float eps, const float* cos,
                                const float* sin, Matrix grad, ThreadPool& pool);
void row_dots(ConstMatrix a, ConstMatrix b, std::span<float> out, ThreadPool& pool);

}  // namespace poplens::cpu
