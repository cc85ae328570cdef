#include <immintrin.h>

#include "engine/backend/cpu/f32_kernels.h"

namespace poplens::cpu {
namespace {

struct Avx2 {
  using Register = __m256;
  static constexpr int width = 8;
  static constexpr int tile_rows = 6;
  static constexpr int accumulators = 12;

  static Register zero() { return _mm256_setzero_ps(); }
  static Register set(float value) { return _mm256_set1_ps(value); }
  static Register load(const float* p) { return _mm256_loadu_ps(p); }
  static void fetch(const float* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0); }
  static void fetch_far(const float* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T1); }
  static void store(float* p, Register v) { _mm256_storeu_ps(p, v); }
  static Register broadcast(const float* p) { return _mm256_broadcast_ss(p); }
  static Register add(Register a, Register b) { return _mm256_add_ps(a, b); }
  static Register subtract(Register a, Register b) { return _mm256_sub_ps(a, b); }
  static Register max(Register a, Register b) { return _mm256_max_ps(a, b); }
  static Register multiply_add(Register a, Register b, Register c) { return _mm256_fmadd_ps(a, b, c); }
  static Register round(Register a) { return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
  // a * 2^whole, for a in [1/2, 2] and results that are normal numbers.
  static Register times_power_of_two(Register a, Register whole) {
    const __m256i exponent = _mm256_slli_epi32(_mm256_cvtps_epi32(whole), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(a), exponent));
  }
  static Register keep_above(Register a, Register key, float bound) {
    return _mm256_and_ps(a, _mm256_cmp_ps(key, _mm256_set1_ps(bound), _CMP_GT_OQ));
  }
  static float reduce_add(Register a) {
    const __m128 half = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    const __m128 quarter = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(quarter, _mm_movehdup_ps(quarter)));
  }
  static float reduce_max(Register a) {
    const __m128 half = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    const __m128 quarter = _mm_max_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_max_ss(quarter, _mm_movehdup_ps(quarter)));
  }
};

float exponentials_f32(const float* x, int n, float factor, float shift, void* out) {
  return exponentials<Avx2>(x, n, factor, shift,
                            [out](int at, __m256 v) { _mm256_storeu_ps(static_cast<float*>(out) + at, v); });
}

}  // namespace

const Kernels& avx2_kernels() {
  static constexpr Kernels kernels = {.type = DType::f32,
                                      .panel_columns = 2 * Avx2::width,
                                      .depth_step = 1,
                                      .depth_block = 256,
                                      .row_step = 1,
                                      .attention_rows = 24,
                                      .multiply = multiply<Avx2>,
                                      .maximum = maximum<Avx2>,
                                      .exponentials = exponentials_f32,
                                      .spin = spin<Avx2>,
                                      .flop_per_round = spinning_sums * Avx2::width * 2};
  return kernels;
}

}  // namespace poplens::cpu
