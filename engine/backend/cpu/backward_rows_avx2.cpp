#include <immintrin.h>

#include "engine/backend/cpu/avx2_exp.h"
#include "engine/backend/cpu/avx2_rows.h"
#include "engine/backend/cpu/backward_rows.h"

namespace poplens::cpu {
namespace {

__m256 load(const float* row, int64_t at, int64_t count) {
  return load<DType::f32>(row, at, count);
}

void store(float* row, int64_t at, int64_t count, __m256 v) {
  store<DType::f32>(row, at, count, v);
}

__m256 clamped(__m256 x, float size) {
  return _mm256_min_ps(_mm256_max_ps(x, set(-size)), set(size));
}

// sigmoid(y) and its complement, both with their relative accuracy.
struct Sigmoid {
  __m256 value;
  __m256 rest;

  explicit Sigmoid(__m256 y) {
    const __m256 power = exp(_mm256_sub_ps(_mm256_setzero_ps(), y));
    value = _mm256_div_ps(set(1.0F), _mm256_add_ps(set(1.0F), power));
    rest = _mm256_mul_ps(power, value);
  }
};

// d/dx of x sigmoid(y(x)) = sigmoid(y) (1 + x (1 - sigmoid(y)) y').
template <Activation activation>
__m256 slope(__m256 x, const Sigmoid& sigmoid) {
  if constexpr (activation == Activation::silu) {
    // Behind 87 sigmoid(y) stands still, and x would go on growing.
    const __m256 bent = _mm256_fmadd_ps(clamped(x, 87.0F), sigmoid.rest, set(1.0F));
    return _mm256_mul_ps(sigmoid.value, bent);
  } else {
    // Behind 10 the slope is 0 or 1, and the cubic's would go on growing.
    constexpr float four_sqrt_2_over_pi_thrice_cubic = 0.2140645F, two_sqrt_2_over_pi = 1.5957691216F;
    const __m256 near = clamped(x, 10.0F);
    const __m256 inner =
        _mm256_fmadd_ps(_mm256_mul_ps(near, near), set(four_sqrt_2_over_pi_thrice_cubic), set(two_sqrt_2_over_pi));
    const __m256 bent = _mm256_fmadd_ps(_mm256_mul_ps(near, inner), sigmoid.rest, set(1.0F));
    return _mm256_mul_ps(sigmoid.value, bent);
  }
}

template <Activation activation>
void gated_backward(const float* grad, int64_t n, float* gate, float* up) {
  for (int64_t i = 0; i < n; i += kWidth) {
    const int64_t count = n - i;
    const __m256 g = load(grad, i, count);
    const __m256 x = load(gate, i, count);
    const Sigmoid sigmoid(activation == Activation::silu ? x : gelu_exponent(x));
    store(gate, i, count, _mm256_mul_ps(_mm256_mul_ps(g, load(up, i, count)), slope<activation>(x, sigmoid)));
    store(up, i, count, _mm256_mul_ps(g, _mm256_mul_ps(x, sigmoid.value)));
  }
}

template <bool accumulate>
void norm_backward(const float* x, int64_t n, const float* weight, float eps, const float* grad, float* out) {
  const float scale = inverse_root(sum_of_squares<DType::f32>(x, n) / static_cast<float>(n) + eps);
  const float along = sum_over(n, [&](int64_t at, int64_t count, __m256 sum) {
    const __m256 u = _mm256_mul_ps(load(grad, at, count), weight_or_ones(weight, at, count));
    return _mm256_fmadd_ps(u, load(x, at, count), sum);
  });
  const __m256 straight = set(scale);
  const __m256 back = set(scale * scale * scale * (along / static_cast<float>(n)));
  for (int64_t i = 0; i < n; i += kWidth) {
    const int64_t count = n - i;
    const __m256 u = _mm256_mul_ps(load(grad, i, count), weight_or_ones(weight, i, count));
    __m256 v = _mm256_fnmadd_ps(load(x, i, count), back, _mm256_mul_ps(u, straight));
    if constexpr (accumulate) v = _mm256_add_ps(load(out, i, count), v);
    store(out, i, count, v);
  }
}

void rotate_back(float* head, int64_t half, const float* cos, const float* sin) {
  for (int64_t j = 0; j < half; j += kWidth) {
    const int64_t count = half - j;
    const __m256 a = load(head, j, count), b = load(head + half, j, count);
    const __m256 c = load(cos, j, count), s = load(sin, j, count);
    store(head, j, count, _mm256_fmadd_ps(a, c, _mm256_mul_ps(b, s)));
    store(head + half, j, count, _mm256_fmsub_ps(b, c, _mm256_mul_ps(a, s)));
  }
}

}  // namespace

void gated_product_backward_row(const float* grad, int64_t n, Activation activation, float* gate, float* up) {
  if (activation == Activation::silu) {
    gated_backward<Activation::silu>(grad, n, gate, up);
  } else {
    gated_backward<Activation::gelu_tanh>(grad, n, gate, up);
  }
}

void rms_norm_backward_row(const float* x, int64_t n, const float* weight, float eps, const float* grad, float* out,
                           bool accumulate) {
  if (accumulate) {
    norm_backward<true>(x, n, weight, eps, grad, out);
  } else {
    norm_backward<false>(x, n, weight, eps, grad, out);
  }
}

void norm_rotate_backward_row(const float* x, int heads, int head_dim, const float* norm_weight, float eps,
                              const float* cos, const float* sin, float* grad) {
  for (int h = 0; h < heads; ++h) {
    float* head = grad + int64_t{h} * head_dim;
    if (cos != nullptr) rotate_back(head, head_dim / 2, cos, sin);
    if (norm_weight != nullptr) {
      norm_backward<false>(x + int64_t{h} * head_dim, head_dim, norm_weight, eps, head, head);
    }
  }
}

float dot_row(const float* a, const float* b, int64_t n) {
  return sum_over(n, [&](int64_t at, int64_t count, __m256 sum) {
    return _mm256_fmadd_ps(load(a, at, count), load(b, at, count), sum);
  });
}

void softmax_backward_row(int n, int begin, int end, float scale, const float* log_sums, const float* dots,
                          float* scores, float* grads) {
  const __m256i first = _mm256_set1_epi32(begin), behind = _mm256_set1_epi32(end);
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (int i = 0; i < n; i += 8) {
    const __m256i at = _mm256_add_epi32(_mm256_set1_epi32(i), lanes);
    const __m256i seen = _mm256_andnot_si256(_mm256_cmpgt_epi32(first, at), _mm256_cmpgt_epi32(behind, at));
    const __m256 score = _mm256_fmsub_ps(_mm256_loadu_ps(scores + i), set(scale), _mm256_loadu_ps(log_sums + i));
    const __m256 power = _mm256_and_ps(exp(score), _mm256_castsi256_ps(seen));
    const __m256 rest = _mm256_sub_ps(_mm256_loadu_ps(grads + i), _mm256_loadu_ps(dots + i));
    const __m256 grad = _mm256_mul_ps(_mm256_mul_ps(power, set(scale)), rest);
    _mm256_storeu_ps(scores + i, power);
    _mm256_storeu_ps(grads + i, _mm256_and_ps(grad, _mm256_castsi256_ps(seen)));
  }
}

}  // namespace poplens::cpu
