// Exponentials rounded to bf16, for the two paths that multiply bf16.
#pragma once

#include <cstdint>

#include <immintrin.h>

#include "engine/backend/cpu/avx512_vector.h"
#include "engine/backend/cpu/f32_kernels.h"

namespace poplens::cpu {
namespace {

float exponentials_bf16(const float* x, int n, float factor, float shift, void* out) {
  return exponentials<Avx512>(x, n, factor, shift, [out](int at, __m512 v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(static_cast<uint16_t*>(out) + at),
                        reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(v)));
  });
}

}  // namespace
}  // namespace poplens::cpu
