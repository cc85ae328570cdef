#include <immintrin.h>

#include "engine/backend/cpu/avx2_rows.h"
#include "engine/backend/cpu/elementwise_rows.h"

namespace poplens::cpu {
namespace {

template <DType type, bool accumulate>
void rms_norm_row(const float* x, int64_t n, const float* weight, float eps, void* out) {
  const __m256 scale = _mm256_set1_ps(inverse_root(sum_of_squares<DType::f32>(x, n) / static_cast<float>(n) + eps));
  for (int64_t i = 0; i < n; i += kWidth) {
    const int64_t count = n - i;
    const __m256 normed = _mm256_mul_ps(load<DType::f32>(x, i, count), scale);
    __m256 v = _mm256_mul_ps(normed, weight_or_ones(weight, i, count));
    if constexpr (accumulate) v = _mm256_add_ps(load<type>(out, i, count), v);
    store<type>(out, i, count, v);
  }
}

template <DType type>
void layer_norm_row(const float* x, int64_t n, const float* weight, const float* bias, float eps, void* out) {
  const float sum =
      sum_of<DType::f32>(x, n, [](__m256 v, int64_t /*count*/, __m256 so_far) { return _mm256_add_ps(so_far, v); });
  const __m256 mean = _mm256_set1_ps(sum / static_cast<float>(n));
  const float squares = sum_of<DType::f32>(x, n, [&](__m256 v, int64_t count, __m256 so_far) {
    const __m256 centred = _mm256_and_ps(_mm256_sub_ps(v, mean), first_lanes(count));
    return _mm256_fmadd_ps(centred, centred, so_far);
  });
  const __m256 scale = _mm256_set1_ps(inverse_root(squares / static_cast<float>(n) + eps));
  for (int64_t i = 0; i < n; i += kWidth) {
    const int64_t count = n - i;
    const __m256 normed = _mm256_mul_ps(_mm256_sub_ps(load<DType::f32>(x, i, count), mean), scale);
    const __m256 shift = bias != nullptr ? load<DType::f32>(bias, i, count) : _mm256_setzero_ps();
    store<type>(out, i, count, _mm256_fmadd_ps(normed, weight_or_ones(weight, i, count), shift));
  }
}

// v = x * scale * weight: the norm's half of the work on one register; scale 1 and no weight leave x as it is.
struct HeadNorm {
  __m256 scale;
  const float* weight;

  __m256 apply(__m256 x, int64_t at, int64_t count) const {
    return _mm256_mul_ps(_mm256_mul_ps(x, scale), weight_or_ones(weight, at, count));
  }
};

template <DType type>
void norm_head(void* head, int64_t head_dim, const HeadNorm& norm) {
  for (int64_t i = 0; i < head_dim; i += kWidth) {
    const int64_t count = head_dim - i;
    store<type>(head, i, count, norm.apply(load<type>(head, i, count), i, count));
  }
}

template <DType type>
void norm_and_rotate_head(void* head, int64_t half, const HeadNorm& norm, const float* cos, const float* sin) {
  for (int64_t j = 0; j < half; j += kWidth) {
    const int64_t count = half - j;
    const __m256 a = norm.apply(load<type>(head, j, count), j, count);
    const __m256 b = norm.apply(load<type>(head, j + half, count), j + half, count);
    const __m256 c = load<DType::f32>(cos, j, count);
    const __m256 s = load<DType::f32>(sin, j, count);
    store<type>(head, j, count, _mm256_fmsub_ps(a, c, _mm256_mul_ps(b, s)));
    store<type>(head, j + half, count, _mm256_fmadd_ps(b, c, _mm256_mul_ps(a, s)));
  }
}

template <DType type>
void norm_rotate_row(void* row, int heads, int64_t head_dim, const float* norm_weight, float eps, const float* cos,
                     const float* sin) {
  for (int h = 0; h < heads; ++h) {
    void* head = static_cast<std::byte*>(row) + h * head_dim * size_of(type);
    HeadNorm norm{_mm256_set1_ps(1.0F), norm_weight};
    if (norm_weight != nullptr) {
      const float mean = sum_of_squares<type>(head, head_dim) / static_cast<float>(head_dim);
      norm.scale = _mm256_set1_ps(inverse_root(mean + eps));
    }
    if (cos != nullptr) {
      norm_and_rotate_head<type>(head, head_dim / 2, norm, cos, sin);
    } else if (norm_weight != nullptr) {
      norm_head<type>(head, head_dim, norm);
    }
  }
}

template <DType from, DType to>
void copy_scaled_row(const void* x, int64_t n, float scale, void* out) {
  const __m256 factor = _mm256_set1_ps(scale);
  for (int64_t i = 0; i < n; i += kWidth) {
    store<to>(out, i, n - i, _mm256_mul_ps(load<from>(x, i, n - i), factor));
  }
}

template <DType from, DType to>
void add_row(const void* x, int64_t n, float scale, void* out) {
  const __m256 factor = _mm256_set1_ps(scale);
  for (int64_t i = 0; i < n; i += kWidth) {
    const __m256 scaled = _mm256_mul_ps(load<from>(x, i, n - i), factor);
    store<to>(out, i, n - i, _mm256_add_ps(load<to>(out, i, n - i), scaled));
  }
}

// Calls function.operator()<to>() with the row's type as a constant.
template <typename Function>
void with_output_type(DType to, const Function& function) {
  if (to == DType::f32) {
    function.template operator()<DType::f32>();
  } else {
    function.template operator()<DType::bf16>();
  }
}

template <typename Function>
void with_types(DType from, DType to, const Function& function) {
  with_output_type(to, [&]<DType to_type>() {
    if (from == DType::f32) {
      function.template operator()<DType::f32, to_type>();
    } else if (from == DType::f16) {
      function.template operator()<DType::f16, to_type>();
    } else {
      function.template operator()<DType::bf16, to_type>();
    }
  });
}

}  // namespace

void rms_norm_row(const float* x, int64_t n, const float* weight, float eps, Row out, bool accumulate) {
  with_output_type(out.dtype, [&]<DType type>() {
    if (accumulate) {
      rms_norm_row<type, true>(x, n, weight, eps, out.data);
    } else {
      rms_norm_row<type, false>(x, n, weight, eps, out.data);
    }
  });
}

void layer_norm_row(const float* x, int64_t n, const float* weight, const float* bias, float eps, Row out) {
  with_output_type(out.dtype, [&]<DType type>() { layer_norm_row<type>(x, n, weight, bias, eps, out.data); });
}

void norm_rotate_row(Row x, int heads, int head_dim, const float* norm_weight, float eps, const float* cos,
                     const float* sin) {
  with_output_type(x.dtype,
                   [&]<DType type>() { norm_rotate_row<type>(x.data, heads, head_dim, norm_weight, eps, cos, sin); });
}

void copy_scaled_row(ConstRow x, int64_t n, float scale, Row out) {
  with_types(x.dtype, out.dtype,
             [&]<DType from, DType to>() { copy_scaled_row<from, to>(x.data, n, scale, out.data); });
}

void add_row(ConstRow x, int64_t n, float scale, Row out) {
  with_types(x.dtype, out.dtype, [&]<DType from, DType to>() { add_row<from, to>(x.data, n, scale, out.data); });
}

}  // namespace poplens::cpu
