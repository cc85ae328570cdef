// Rows of numbers eight at a time, for the files compiled for AVX2, FMA and F16C. In an unnamed namespace for the
// reason given in f32_kernels.h. See elementwise_rows.h for the order of summation.
#pragma once

#include <cstddef>
#include <cstring>

#include <immintrin.h>

#include "engine/backend/cpu/avx2_convert.h"

namespace poplens::cpu {
namespace {

constexpr int64_t kWidth = 8;

// The first `count` of eight values, the others zero. A row's end is read no further than it goes: behind it may lie
// another matrix or nothing.
template <DType type>
inline __m256 load(const void* row, int64_t at, int64_t count) {
  if (count >= kWidth) return load_as_f32<type>(row, at);
  alignas(32) std::byte eight[kWidth * sizeof(float)] = {};
  const auto* from = static_cast<const std::byte*>(row) + at * size_of(type);
  std::memcpy(eight, from, static_cast<size_t>(count * size_of(type)));
  return load_as_f32<type>(eight, 0);
}

template <DType type>
inline void store(void* row, int64_t at, int64_t count, __m256 v) {
  if (count >= kWidth) return store_f32_as<type>(row, at, v);
  alignas(32) std::byte eight[kWidth * sizeof(float)];
  store_f32_as<type>(eight, 0, v);
  std::memcpy(static_cast<std::byte*>(row) + at * size_of(type), eight, static_cast<size_t>(count * size_of(type)));
}

inline float sum_of_lanes(__m256 v) {
  __m128 half = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  half = _mm_add_ps(half, _mm_movehl_ps(half, half));
  return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
}

inline float inverse_root(float x) {
  return 1.0F / _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
}

// term(at, count, sum) adds its terms for the eight values from `at` on to `sum`, lane by lane; from `count` on there
// are none.
template <typename Term>
inline float sum_over(int64_t n, const Term& term) {
  constexpr int kSums = 4;
  __m256 sums[kSums] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
  for (int64_t i = 0; i < n; i += kSums * kWidth) {
#pragma GCC unroll 4
    for (int s = 0; s < kSums; ++s) {
      const int64_t at = i + s * kWidth;
      if (at < n) sums[s] = term(at, n - at, sums[s]);
    }
  }
  return sum_of_lanes(_mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
}

// The same with the row's values: term(v, count, sum), those from `count` on being zeros that must add nothing.
template <DType type, typename Term>
inline float sum_of(const void* row, int64_t n, const Term& term) {
  return sum_over(n,
                  [&](int64_t at, int64_t count, __m256 sum) { return term(load<type>(row, at, count), count, sum); });
}

template <DType type>
inline float sum_of_squares(const void* row, int64_t n) {
  return sum_of<type>(row, n, [](__m256 v, int64_t /*count*/, __m256 sum) { return _mm256_fmadd_ps(v, v, sum); });
}

inline __m256 first_lanes(int64_t count) {
  const int lanes = count < kWidth ? static_cast<int>(count) : static_cast<int>(kWidth);
  return _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(lanes), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)));
}

// weight[at...], or ones.
inline __m256 weight_or_ones(const float* weight, int64_t at, int64_t count) {
  return weight != nullptr ? load<DType::f32>(weight, at, count) : _mm256_set1_ps(1.0F);
}

}  // namespace
}  // namespace poplens::cpu
