#include "engine/backend/cpu/pack.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <immintrin.h>

#include "engine/backend/cpu/avx2_convert.h"

namespace poplens::cpu {
namespace {

const std::byte* element(ConstMatrix m, int64_t row, int64_t col) {
  return static_cast<const std::byte*>(m.data) + (row * m.stride + col) * size_of(m.dtype);
}

// out[i] = x[i] * scale[i] (scale may be null), converted; the tail goes through a buffer so that nothing behind either
// end is touched.
template <DType from, DType to>
void convert_run(const void* x, const float* scale, int64_t n, void* out) {
  const auto scaled = [scale](__m256 v, const float* factors) {
    return scale != nullptr ? _mm256_mul_ps(v, _mm256_loadu_ps(factors)) : v;
  };
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    store_f32_as<to>(out, i, scaled(load_as_f32<from>(x, i), scale + (scale != nullptr ? i : 0)));
  if (i == n) return;
  const auto rest = static_cast<size_t>(n - i);
  alignas(32) std::byte in_buffer[32] = {};
  alignas(32) std::byte out_buffer[32];
  alignas(32) float factors[8] = {};
  std::memcpy(in_buffer, static_cast<const std::byte*>(x) + i * size_of(from), rest * size_of(from));
  if (scale != nullptr) std::memcpy(factors, scale + i, rest * sizeof(float));
  store_f32_as<to>(out_buffer, 0, scaled(load_as_f32<from>(in_buffer, 0), factors));
  std::memcpy(static_cast<std::byte*>(out) + i * size_of(to), out_buffer, rest * size_of(to));
}

void convert_run(DType from, const void* x, const float* scale, int64_t n, DType to, void* out) {
  if (from == to && scale == nullptr) {
    std::memcpy(out, x, static_cast<size_t>(n * size_of(from)));
  } else if (to == DType::f32) {
    if (from == DType::f32) convert_run<DType::f32, DType::f32>(x, scale, n, out);
    if (from == DType::f16) convert_run<DType::f16, DType::f32>(x, scale, n, out);
    if (from == DType::bf16) convert_run<DType::bf16, DType::f32>(x, scale, n, out);
  } else {
    if (from == DType::f32) convert_run<DType::f32, DType::bf16>(x, scale, n, out);
    if (from == DType::f16) convert_run<DType::f16, DType::bf16>(x, scale, n, out);
    if (from == DType::bf16) convert_run<DType::bf16, DType::bf16>(x, scale, n, out);
  }
}

// Eight rows of eight 32-bit words each, transposed: calls store(i, words) with word i of every row.
template <typename Store>
[[gnu::always_inline]] inline void transpose(const std::byte* const* rows, int64_t offset, const Store& store) {
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    const int64_t at = offset + 16 * half;
    const auto rows_pair = [&](int row) __attribute__((always_inline)) {
      const auto low = _mm_loadu_ps(reinterpret_cast<const float*>(rows[row] + at));
      const auto high = _mm_loadu_ps(reinterpret_cast<const float*>(rows[row + 4] + at));
      return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
    };
    const __m256 r0 = rows_pair(0), r1 = rows_pair(1), r2 = rows_pair(2), r3 = rows_pair(3);
    const __m256 low01 = _mm256_unpacklo_ps(r0, r1), high01 = _mm256_unpackhi_ps(r0, r1);
    const __m256 low23 = _mm256_unpacklo_ps(r2, r3), high23 = _mm256_unpackhi_ps(r2, r3);
    store(4 * half + 0, _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(1, 0, 1, 0)));
    store(4 * half + 1, _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(3, 2, 3, 2)));
    store(4 * half + 2, _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(1, 0, 1, 0)));
    store(4 * half + 3, _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(3, 2, 3, 2)));
  }
}

// Fetches the bytes that lie `ahead` of eight rows at `offset`, once for every line of the caches. The rows of a weight
// are far apart: the processor does not foresee the way from one to the next.
void fetch(const std::byte* const* rows, int64_t offset, int64_t ahead) {
  if (offset % 64 != 0) return;
  for (int j = 0; j < 8; ++j) _mm_prefetch(reinterpret_cast<const char*>(rows[j] + offset + ahead), _MM_HINT_T1);
}

// Eight columns of a panel from eight rows of 32-bit words (an f32, or two bf16 that stay together).
void pack_words(const std::byte* const* rows, int words, int64_t ahead, int panel_columns, float* b) {
  int k = 0;
  for (; k + 8 <= words; k += 8) {
    if (ahead != 0) fetch(rows, 4 * k, ahead);
    transpose(
        rows, 4 * k, [&](int i, __m256 v) __attribute__((always_inline)) {
          _mm256_storeu_ps(b + (k + i) * panel_columns, v);
        });
  }
  for (; k < words; ++k) {
    for (int j = 0; j < 8; ++j) std::memcpy(b + k * panel_columns + j, rows[j] + 4 * k, 4);
  }
}

// Eight columns of a panel of f32 from eight rows of bf16; depth is a multiple of 16.
void pack_widened(const std::byte* const* rows, int depth, int64_t ahead, int panel_columns, float* b) {
  const __m256i high_halves = _mm256_set1_epi32(static_cast<int>(0xFFFF0000));
  for (int k = 0; k < depth; k += 16) {
    if (ahead != 0) fetch(rows, 2 * k, ahead);
    transpose(
        rows, 2 * k, [&](int i, __m256 v) __attribute__((always_inline)) {
          const __m256i pair = _mm256_castps_si256(v);
          float* out = b + (k + 2 * i) * panel_columns;
          _mm256_storeu_ps(out, _mm256_castsi256_ps(_mm256_slli_epi32(pair, 16)));
          _mm256_storeu_ps(out + panel_columns, _mm256_castsi256_ps(_mm256_and_si256(pair, high_halves)));
        });
  }
}

// One row of eight columns of a panel of f32, or two rows of a panel of bf16. A null row is zero.
template <DType from>
void pack_eight_f32(const std::byte* row, float* out) {
  _mm256_storeu_ps(out, row != nullptr ? load_as_f32<from>(row, 0) : _mm256_setzero_ps());
}

template <DType from>
__m128i eight_bf16(const std::byte* row) {
  if (row == nullptr) return _mm_setzero_si128();
  if constexpr (from == DType::bf16) return _mm_loadu_si128(reinterpret_cast<const __m128i*>(row));
  return narrow_bf16(load_as_f32<from>(row, 0));
}

template <DType from>
void pack_eight_bf16(const std::byte* even, const std::byte* odd, float* out) {
  const __m128i first = eight_bf16<from>(even), second = eight_bf16<from>(odd);
  auto* at = reinterpret_cast<__m128i*>(out);
  _mm_storeu_si128(at, _mm_unpacklo_epi16(first, second));
  _mm_storeu_si128(at + 1, _mm_unpackhi_epi16(first, second));
}

template <DType from>
void pack_values_of(ConstMatrix values, const Kernels& kernels, int depth, void* b) {
  constexpr int64_t rows_ahead = 8;
  const bool pairs = kernels.type == DType::bf16;
  const int64_t words = depth / (pairs ? 2 : 1), panel_columns = kernels.panel_columns;
  const int64_t columns = (values.cols + panel_columns - 1) / panel_columns * panel_columns;
  alignas(32) std::byte filled[2][8 * sizeof(float)] = {};
  const auto eight = [&](int64_t k, int64_t column, std::byte* buffer) -> const std::byte* {
    const int64_t given = values.cols - column;
    if (k >= values.rows || given <= 0) return nullptr;
    if (given >= 8) return element(values, k, column);
    std::memcpy(buffer, element(values, k, column), static_cast<size_t>(given * size_of(from)));
    return buffer;
  };
  for (int64_t word = 0; word < words; ++word) {
    const int64_t k = pairs ? 2 * word : word;
    for (int64_t column = 0; column < columns; column += 8) {
      const std::byte* ahead = element(values, k + rows_ahead, column);
      _mm_prefetch(reinterpret_cast<const char*>(ahead), _MM_HINT_T0);
      float* out = static_cast<float*>(b) + column / panel_columns * panel_columns * words + word * panel_columns +
                   column % panel_columns;
      if (pairs) {
        _mm_prefetch(reinterpret_cast<const char*>(ahead + values.stride * size_of(from)), _MM_HINT_T0);
        pack_eight_bf16<from>(eight(k, column, filled[0]), eight(k + 1, column, filled[1]), out);
      } else {
        pack_eight_f32<from>(eight(k, column, filled[0]), out);
      }
    }
  }
}

}  // namespace

void pack_rows(ConstMatrix x, DType type, int depth, void* a, int64_t a_stride) {
  for (int64_t i = 0; i < x.rows; ++i) {
    auto* out = static_cast<std::byte*>(a) + i * a_stride * size_of(type);
    convert_run(x.dtype, element(x, i, 0), nullptr, x.cols, type, out);
    std::memset(out + x.cols * size_of(type), 0, static_cast<size_t>((depth - x.cols) * size_of(type)));
  }
}

void pack_columns(ConstMatrix weight, const float* scale, const Kernels& kernels, int depth, void* b) {
  const DType type = kernels.type;
  const int panel_columns = kernels.panel_columns;
  const bool as_it_lies = scale == nullptr && weight.cols == depth;
  const bool widened = as_it_lies && weight.dtype == DType::bf16 && type == DType::f32 && depth % 16 == 0;
  const bool direct = widened || (as_it_lies && weight.dtype == type);
  const int words = static_cast<int>(depth * size_of(type) / 4);
  alignas(64) std::byte converted[8 * most_packed_depth * sizeof(float)];

  const int64_t columns = (weight.rows + panel_columns - 1) / panel_columns * panel_columns;
  for (int64_t first = 0; first < columns; first += 8) {
    const std::byte* rows[8];
    const bool whole = direct && first + 8 <= weight.rows;
    // The next eight columns; after the last, the first ones of the depth that follows.
    const int64_t eight = 8 * weight.stride * size_of(weight.dtype);
    const int64_t ahead = first + 16 <= weight.rows ? eight : weight.cols * size_of(weight.dtype) - first / 8 * eight;
    for (int j = 0; j < 8; ++j) {
      if (whole) {
        rows[j] = element(weight, first + j, 0);
        continue;
      }
      std::byte* row = converted + j * depth * size_of(type);
      const int64_t given = first + j < weight.rows ? weight.cols : 0;
      if (given > 0) convert_run(weight.dtype, element(weight, first + j, 0), scale, given, type, row);
      std::memset(row + given * size_of(type), 0, static_cast<size_t>((depth - given) * size_of(type)));
      rows[j] = row;
    }
    float* out = static_cast<float*>(b) + first / panel_columns * panel_columns * words + first % panel_columns;
    if (whole && widened) {
      pack_widened(rows, depth, ahead, panel_columns, out);
    } else {
      pack_words(rows, words, whole ? ahead : 0, panel_columns, out);
    }
  }
}

void pack_values(ConstMatrix values, const Kernels& kernels, int depth, void* b) {
  const auto pack = [&](auto of_type) { pack_values_of<decltype(of_type)::value>(values, kernels, depth, b); };
  if (values.dtype == DType::f32) {
    pack(std::integral_constant<DType, DType::f32>());
  } else if (values.dtype == DType::f16) {
    pack(std::integral_constant<DType, DType::f16>());
  } else {
    pack(std::integral_constant<DType, DType::bf16>());
  }
}

}  // namespace poplens::cpu
