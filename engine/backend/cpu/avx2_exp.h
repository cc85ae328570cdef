// The exponential and what is made of it, eight values at a time, for the files compiled for AVX2 and FMA. In an
// unnamed namespace for the reason given in f32_kernels.h.
#pragma once

#include <immintrin.h>

#include "engine/backend/cpu/exp2_coefficients.h"

namespace poplens::cpu {
namespace {

inline __m256 set(float value) {
  return _mm256_set1_ps(value);
}

template <int n>
inline __m256 polynomial(__m256 x, const float (&coefficients)[n]) {
  __m256 sum = set(coefficients[n - 1]);
#pragma GCC unroll 16
  for (int i = n - 2; i >= 0; --i) sum = _mm256_fmadd_ps(sum, x, set(coefficients[i]));
  return sum;
}

// e^x for x within [-87, 88], values outside moved to the ends; about 1 ulp.
inline __m256 exp(__m256 x) {
  constexpr float log2_e_high = 0x1.715476p+0F, log2_e_low = 0x1.4ae0cp-26F;
  x = _mm256_min_ps(_mm256_max_ps(x, set(-87.0F)), set(88.0F));
  const __m256 whole =
      _mm256_round_ps(_mm256_mul_ps(x, set(log2_e_high)), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m256 fraction = _mm256_fmadd_ps(x, set(log2_e_low), _mm256_fmsub_ps(x, set(log2_e_high), whole));
  const __m256i exponent = _mm256_slli_epi32(_mm256_cvtps_epi32(whole), 23);
  const __m256 power = polynomial(fraction, exp2_coefficients);
  return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(power), exponent));
}

// x / (1 + e^-y): silu for y = x, gelu's tanh form for y = gelu_exponent(x).
inline __m256 gated_by_sigmoid(__m256 x, __m256 y) {
  return _mm256_div_ps(x, _mm256_add_ps(set(1.0F), exp(_mm256_sub_ps(_mm256_setzero_ps(), y))));
}

// y of 0.5 x (1 + tanh(y / 2)) = x / (1 + e^-y): y = 2 sqrt(2/pi) (x + 0.044715 x^3).
inline __m256 gelu_exponent(__m256 x) {
  constexpr float two_sqrt_2_over_pi = 1.5957691216F;
  const __m256 square = _mm256_mul_ps(x, x);
  return _mm256_mul_ps(set(two_sqrt_2_over_pi), _mm256_fmadd_ps(_mm256_mul_ps(set(0.044715F), square), x, x));
}

}  // namespace
}  // namespace poplens::cpu
