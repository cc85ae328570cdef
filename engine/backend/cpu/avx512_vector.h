// AVX-512's vectors for the templates of f32_kernels.h. For the files compiled for AVX-512 alone.
#pragma once

#include <immintrin.h>

namespace poplens::cpu {
namespace {

struct Avx512 {
  using Register = __m512;
  static constexpr int width = 16;
  static constexpr int tile_rows = 12;
  static constexpr int accumulators = 24;

  static Register zero() { return _mm512_setzero_ps(); }
  static Register set(float value) { return _mm512_set1_ps(value); }
  static Register load(const float* p) { return _mm512_loadu_ps(p); }
  static void fetch(const float* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0); }
  static void fetch_far(const float* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T1); }
  static void store(float* p, Register v) { _mm512_storeu_ps(p, v); }
  static Register broadcast(const float* p) { return _mm512_set1_ps(*p); }
  static Register add(Register a, Register b) { return _mm512_add_ps(a, b); }
  static Register subtract(Register a, Register b) { return _mm512_sub_ps(a, b); }
  static Register max(Register a, Register b) { return _mm512_max_ps(a, b); }
  static Register multiply_add(Register a, Register b, Register c) { return _mm512_fmadd_ps(a, b, c); }
  static Register round(Register a) { return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
  static Register times_power_of_two(Register a, Register whole) { return _mm512_scalef_ps(a, whole); }
  static Register keep_above(Register a, Register key, float bound) {
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(key, _mm512_set1_ps(bound), _CMP_GT_OQ), a);
  }
  static float reduce_add(Register a) {
    const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
    const __m128 quarter = _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
    const __m128 pair = _mm_add_ps(quarter, _mm_movehl_ps(quarter, quarter));
    return _mm_cvtss_f32(_mm_add_ss(pair, _mm_movehdup_ps(pair)));
  }
  static float reduce_max(Register a) {
    const __m256 half = _mm256_max_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
    const __m128 quarter = _mm_max_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
    const __m128 pair = _mm_max_ps(quarter, _mm_movehl_ps(quarter, quarter));
    return _mm_cvtss_f32(_mm_max_ss(pair, _mm_movehdup_ps(pair)));
  }
};

}  // namespace
}  // namespace poplens::cpu
