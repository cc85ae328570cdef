// The CPU backend's operations that work row by row: norms, rotation, embedding, addition, conversion. Each is the
// operation of the same name in engine/backend/backend.h; rows are shared out among the pool's threads, a row is always
// computed whole and in one order, so neither the number of rows nor that of threads changes a bit.
#pragma once

#include <cstdint>
#include <span>

#include "engine/backend/cpu/thread_pool.h"
#include "engine/backend/tensor.h"

namespace poplens::cpu {

void rms_norm(ConstMatrix x, const float* weight, float eps, Matrix out, bool accumulate, ThreadPool& pool);
void layer_norm(ConstMatrix x, const float* weight, const float* bias, float eps, Matrix out, ThreadPool& pool);
void norm_rotate_heads(Matrix x, int head_dim, const float* norm_weight, float eps, const float* cos, const float* sin,
                       ThreadPool& pool);
void embed(ConstMatrix table, std::span<const int32_t> ids, float scale, Matrix out, ThreadPool& pool);
void add(ConstMatrix x, Matrix out, float scale, ThreadPool& pool);
void copy(ConstMatrix x, Matrix out, ThreadPool& pool);

}  // namespace poplens::cpu
