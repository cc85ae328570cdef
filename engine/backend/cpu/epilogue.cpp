#include "engine/backend/cpu/epilogue.h"

#include <cstddef>
#include <cstring>

#include <immintrin.h>

#include "engine/backend/cpu/avx2_convert.h"
#include "engine/backend/cpu/avx2_exp.h"

namespace poplens::cpu {
namespace {

// x * (1 + erf(t)) / 2, t = x / sqrt 2. Near zero erf(t) = t p(t^2); further out erfc(|t|) = exp(q(|t|) - t^2), so that
// the far negative side keeps its relative accuracy. Both polynomials are of least relative error (6e-10 up to 0.95,
// 3e-8 up to 4.2, behind which q stands still: erfc is below 3e-9 there).
__m256 gelu_erf(__m256 x) {
  constexpr float border = 0.95F, end = 4.2F;
  constexpr float near[] = {0x1.20dd76p+0F, -0x1.812742p-2F,  0x1.ce2dcap-4F, -0x1.b80962p-6F,
                            0x1.549664p-8F, -0x1.a88d8ap-11F, 0x1.574ec6p-14F};
  constexpr float far[] = {0x1.06f042p-12F, -0x1.214482p+0F, 0x1.78841cp-2F,   -0x1.c10636p-4F, 0x1.aca408p-6F,
                           -0x1.31f17cp-8F, 0x1.2eada8p-11F, -0x1.6ef914p-15F, 0x1.981faep-20F};
  const __m256 t = _mm256_mul_ps(x, set(0.70710678119F));
  const __m256 size = _mm256_andnot_ps(set(-0.0F), t);
  const __m256 erf = _mm256_mul_ps(t, polynomial(_mm256_mul_ps(t, t), near));
  const __m256 q = polynomial(_mm256_min_ps(size, set(end)), far);
  const __m256 half_erfc = _mm256_mul_ps(set(0.5F), exp(_mm256_fnmadd_ps(size, size, q)));
  const __m256 share_far = _mm256_blendv_ps(_mm256_sub_ps(set(1.0F), half_erfc), half_erfc, t);
  const __m256 share_near = _mm256_fmadd_ps(set(0.5F), erf, set(0.5F));
  return _mm256_mul_ps(x, _mm256_blendv_ps(share_far, share_near, _mm256_cmp_ps(size, set(border), _CMP_LT_OQ)));
}

template <Activation activation>
__m256 activate(__m256 x) {
  if constexpr (activation == Activation::silu) return gated_by_sigmoid(x, x);
  if constexpr (activation == Activation::gelu_tanh) return gated_by_sigmoid(x, gelu_exponent(x));
  if constexpr (activation == Activation::gelu_erf) return gelu_erf(x);
  return x;
}

// Calls store_eight(column, count, values) over a row: whole eights, then the rest (values behind count are zero).
template <typename Values, typename Store>
void for_eights(int64_t n, const Values& values, const Store& store) {
  int64_t j = 0;
  for (; j + 8 <= n; j += 8) store(j, 8, values(j, 8));
  if (j < n) store(j, n - j, values(j, n - j));
}

__m256i mask_of(int64_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

__m256 load_some(const float* p, int64_t count) {
  return count == 8 ? _mm256_loadu_ps(p) : _mm256_maskload_ps(p, mask_of(count));
}

template <bool accumulate>
void store_some(Matrix out, int64_t row, int64_t col, int64_t count, __m256 v) {
  if (out.dtype == DType::f32) {
    float* at = static_cast<float*>(out.data) + row * out.stride + col;
    if constexpr (accumulate) v = _mm256_add_ps(load_some(at, count), v);
    if (count == 8) {
      _mm256_storeu_ps(at, v);
    } else {
      _mm256_maskstore_ps(at, mask_of(count), v);
    }
    return;
  }
  auto* at = static_cast<uint16_t*>(out.data) + row * out.stride + col;
  alignas(16) uint16_t buffer[8] = {};
  if constexpr (accumulate) {
    std::memcpy(buffer, at, static_cast<size_t>(count) * sizeof(uint16_t));
    v = _mm256_add_ps(load_as_f32<DType::bf16>(buffer, 0), v);
  }
  if (count == 8) {
    store_f32_as<DType::bf16>(at, 0, v);
  } else {
    store_f32_as<DType::bf16>(buffer, 0, v);
    std::memcpy(at, buffer, static_cast<size_t>(count) * sizeof(uint16_t));
  }
}

template <Activation activation, bool accumulate>
void store_rows(const float* sums, int64_t stride, const float* bias, Matrix out) {
  for (int64_t i = 0; i < out.rows; ++i) {
    const float* row = sums + i * stride;
    for_eights(
        out.cols,
        [&](int64_t j, int64_t count) {
          const __m256 sum = load_some(row + j, count);
          return activate<activation>(bias != nullptr ? _mm256_add_ps(sum, load_some(bias + j, count)) : sum);
        },
        [&](int64_t j, int64_t count, __m256 v) { store_some<accumulate>(out, i, j, count, v); });
  }
}

template <Activation activation>
void store_gated_rows(const float* gate, const float* up, int64_t stride, Matrix out) {
  for (int64_t i = 0; i < out.rows; ++i) {
    const int64_t row = i * stride;
    for_eights(
        out.cols,
        [&](int64_t j, int64_t count) {
          return _mm256_mul_ps(activate<activation>(load_some(gate + row + j, count)), load_some(up + row + j, count));
        },
        [&](int64_t j, int64_t count, __m256 v) { store_some<false>(out, i, j, count, v); });
  }
}

template <Activation activation>
void store_rows(const float* sums, int64_t stride, const float* bias, bool accumulate, Matrix out) {
  if (accumulate) {
    store_rows<activation, true>(sums, stride, bias, out);
  } else {
    store_rows<activation, false>(sums, stride, bias, out);
  }
}

}  // namespace

void store_product(const float* sums, int64_t stride, const float* bias, Activation activation, bool accumulate,
                   Matrix out) {
  switch (activation) {
    case Activation::none:
      return store_rows<Activation::none>(sums, stride, bias, accumulate, out);
    case Activation::silu:
      return store_rows<Activation::silu>(sums, stride, bias, accumulate, out);
    case Activation::gelu_tanh:
      return store_rows<Activation::gelu_tanh>(sums, stride, bias, accumulate, out);
    case Activation::gelu_erf:
      return store_rows<Activation::gelu_erf>(sums, stride, bias, accumulate, out);
  }
}

void store_gated(const float* gate, const float* up, int64_t stride, Activation activation, Matrix out) {
  switch (activation) {
    case Activation::none:
      return store_gated_rows<Activation::none>(gate, up, stride, out);
    case Activation::silu:
      return store_gated_rows<Activation::silu>(gate, up, stride, out);
    case Activation::gelu_tanh:
      return store_gated_rows<Activation::gelu_tanh>(gate, up, stride, out);
    case Activation::gelu_erf:
      return store_gated_rows<Activation::gelu_erf>(gate, up, stride, out);
  }
}

void scale_row(float* x, int64_t n, float factor) {
  for (int64_t i = 0; i < n; i += 8) _mm256_storeu_ps(x + i, _mm256_mul_ps(_mm256_loadu_ps(x + i), set(factor)));
}

}  // namespace poplens::cpu
