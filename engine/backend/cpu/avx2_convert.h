// Conversions of eight values at a time, for the files compiled for AVX2, FMA and F16C. In an unnamed namespace for the
// reason given in f32_kernels.h.
#pragma once

#include <cstdint>

#include <immintrin.h>

#include "engine/backend/tensor.h"

namespace poplens::cpu {
namespace {

inline __m256 widen_bf16(__m128i v) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(v), 16));
}

// To nearest, ties to even; a NaN stays one.
inline __m128i narrow_bf16(__m256 v) {
  const __m256i bits = _mm256_castps_si256(v);
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
  __m256i rounded = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7FFF)));
  const __m256i quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x400000));
  const __m256i is_nan = _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_UNORD_Q));
  rounded = _mm256_srli_epi32(_mm256_blendv_epi8(rounded, quiet, is_nan), 16);
  return _mm_packus_epi32(_mm256_castsi256_si128(rounded), _mm256_extracti128_si256(rounded, 1));
}

template <DType type>
inline __m256 load_as_f32(const void* p, int64_t at) {
  if constexpr (type == DType::f32) {
    return _mm256_loadu_ps(static_cast<const float*>(p) + at);
  } else {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(static_cast<const uint16_t*>(p) + at));
    return type == DType::bf16 ? widen_bf16(v) : _mm256_cvtph_ps(v);
  }
}

template <DType type>
inline void store_f32_as(void* p, int64_t at, __m256 v) {
  static_assert(type != DType::f16);
  if constexpr (type == DType::f32) {
    _mm256_storeu_ps(static_cast<float*>(p) + at, v);
  } else {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(static_cast<uint16_t*>(p) + at), narrow_bf16(v));
  }
}

}  // namespace
}  // namespace poplens::cpu
