// The AVX-512 instructions that the CPU kernels use, lane by lane in plain C++: included before a kernel's source, it
// lets the very same source run on a machine without them. Rounding is the hardware's: one rounding for a fused
// multiply-add, and for each of the two of vdpbf16ps.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include <immintrin.h>

namespace poplens::emulation {
namespace {

template <typename Lane>
[[maybe_unused]] inline __m512 each_lane(const Lane& lane) {
  __m512 out;
  for (int i = 0; i < 16; ++i) out[i] = lane(i);
  return out;
}

[[maybe_unused]] inline __m512 setzero() {
  return __m512{};
}
[[maybe_unused]] inline __m512 set1(float value) {
  return each_lane([&](int) { return value; });
}
[[maybe_unused]] inline __m512 loadu(const void* p) {
  __m512 v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}
[[maybe_unused]] inline void storeu(void* p, __m512 v) {
  std::memcpy(p, &v, sizeof(v));
}
[[maybe_unused]] inline __m512 add(__m512 a, __m512 b) {
  return a + b;
}
[[maybe_unused]] inline __m512 subtract(__m512 a, __m512 b) {
  return a - b;
}
[[maybe_unused]] inline __m512 max(__m512 a, __m512 b) {
  return each_lane([&](int i) { return a[i] > b[i] ? a[i] : b[i]; });
}
[[maybe_unused]] inline __m512 fmadd(__m512 a, __m512 b, __m512 c) {
  return each_lane([&](int i) { return std::fma(a[i], b[i], c[i]); });
}
[[maybe_unused]] inline __m512 round_to_integer(__m512 a) {
  return each_lane([&](int i) { return std::nearbyint(a[i]); });
}
// a * 2^floor(b)
[[maybe_unused]] inline __m512 scalef(__m512 a, __m512 b) {
  return each_lane([&](int i) {
    if (b[i] == -std::numeric_limits<float>::infinity()) return 0.0F;
    return static_cast<float>(std::ldexp(static_cast<double>(a[i]), static_cast<int>(std::floor(b[i]))));
  });
}
[[maybe_unused]] inline __mmask16 greater_mask(__m512 a, __m512 b) {
  unsigned mask = 0;
  for (int i = 0; i < 16; ++i) mask |= a[i] > b[i] ? 1U << i : 0U;
  return static_cast<__mmask16>(mask);
}
[[maybe_unused]] inline __m512 keep_masked(__mmask16 mask, __m512 a) {
  return each_lane([&](int i) { return ((mask >> i) & 1) != 0 ? a[i] : 0.0F; });
}
[[maybe_unused]] inline __m256 half(__m512 a, int index) {
  __m256 out;
  for (int i = 0; i < 8; ++i) out[i] = a[8 * index + i];
  return out;
}

[[maybe_unused]] inline float widen(uint32_t bf16) {
  return std::bit_cast<float>(bf16 << 16);
}

// The pairs' odd elements first, then the even ones.
[[maybe_unused]] inline __m512 dot_bf16(__m512 sum, __m512bh a, __m512bh b) {
  const auto left = std::bit_cast<__m512i>(a), right = std::bit_cast<__m512i>(b);
  uint32_t x[16], y[16];
  std::memcpy(x, &left, sizeof(x));
  std::memcpy(y, &right, sizeof(y));
  return each_lane([&](int i) {
    const float odd = std::fma(widen(x[i] >> 16), widen(y[i] >> 16), sum[i]);
    return std::fma(widen(x[i] & 0xFFFFU), widen(y[i] & 0xFFFFU), odd);
  });
}

[[maybe_unused]] inline __m256bh narrow(__m512 a) {
  uint16_t out[16];
  for (int i = 0; i < 16; ++i) {
    const float value = a[i];
    const auto bits = std::bit_cast<uint32_t>(value);
    out[i] = static_cast<uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
  }
  __m256bh v;
  std::memcpy(&v, out, sizeof(v));
  return v;
}

}  // namespace
}  // namespace poplens::emulation

#undef _mm512_roundscale_ps
#undef _mm512_cmp_ps_mask
#undef _mm512_extractf32x8_ps
#define _mm512_setzero_ps poplens::emulation::setzero
#define _mm512_set1_ps poplens::emulation::set1
#define _mm512_loadu_ps poplens::emulation::loadu
#define _mm512_storeu_ps poplens::emulation::storeu
#define _mm512_add_ps poplens::emulation::add
#define _mm512_sub_ps poplens::emulation::subtract
#define _mm512_max_ps poplens::emulation::max
#define _mm512_fmadd_ps poplens::emulation::fmadd
#define _mm512_roundscale_ps(a, mode) poplens::emulation::round_to_integer(a)
#define _mm512_scalef_ps poplens::emulation::scalef
#define _mm512_cmp_ps_mask(a, b, predicate) poplens::emulation::greater_mask(a, b)
#define _mm512_maskz_mov_ps poplens::emulation::keep_masked
#define _mm512_castps512_ps256(a) poplens::emulation::half(a, 0)
#define _mm512_extractf32x8_ps poplens::emulation::half
#define _mm512_dpbf16_ps poplens::emulation::dot_bf16
#define _mm512_cvtneps_pbh poplens::emulation::narrow
