// Lays operands out as kernels.h wants them, converting to the type that is multiplied. Written for AVX2, used by all
// paths. Everything is exact or rounded once (f32 to bf16: to nearest, ties to even).
#pragma once

#include <cstdint>

#include "engine/backend/cpu/kernels.h"
#include "engine/backend/tensor.h"

namespace poplens::cpu {

// The most depth that one call of pack_columns takes.
constexpr int most_packed_depth = 512;

// a: x's rows one after another, each filled up with zeros to `depth` elements. x: f32 or bf16.
void pack_rows(ConstMatrix x, DType type, int depth, void* a, int64_t a_stride);

// b: the panels of weight^T * scale. weight [columns, depth at the most]: f32, f16 or bf16; scale: one factor for each
// column of `weight` (the depth), or null. Writes whole panels of `depth` rows.
void pack_columns(ConstMatrix weight, const float* scale, const Kernels& kernels, int depth, void* b);

// b: the panels of `values` [rows, columns] (f32, f16 or bf16) itself, rows being the depth, filled up with zeros to
// `depth` rows and whole panels.
void pack_values(ConstMatrix values, const Kernels& kernels, int depth, void* b);

}  // namespace poplens::cpu
