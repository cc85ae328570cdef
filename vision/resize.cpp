#include "vision/resize.h"

#include <algorithm>
#include <cstddef>

namespace poplens {

namespace {

#if defined(__x86_64__) && defined(__GNUC__)
#define POPLENS_AVX2 __attribute__((target("avx2")))
bool have_avx2() {
  return __builtin_cpu_supports("avx2");
}
#else
#define POPLENS_AVX2
bool have_avx2() {
  return false;
}
#endif

// Lines of pixels that are summed side by side; small enough for the sums to stay in the first-level cache.
constexpr int kLanes = 1024;

// out[lane] = clip((sum_k weights[k] * lines[k * stride + lane] + half) >> precision). Both passes come down to this.
// Always inlined, so that each caller compiles it for its own instruction set.
__attribute__((always_inline)) inline void sum_lines(const uint8_t* lines, ptrdiff_t stride, int lanes,
                                                     const int16_t* weights, int count, int precision, uint8_t* out) {
  int32_t sums[kLanes];
  std::fill_n(sums, lanes, 1 << (precision - 1));
  int k = 0;
  for (; k + 1 < count; k += 2) {
    const uint8_t* line0 = lines + k * stride;
    const uint8_t* line1 = line0 + stride;
    const int32_t weight0 = weights[k], weight1 = weights[k + 1];
    for (int lane = 0; lane < lanes; ++lane) sums[lane] += weight0 * line0[lane] + weight1 * line1[lane];
  }
  if (k < count) {
    const uint8_t* line = lines + k * stride;
    const int32_t weight = weights[k];
    for (int lane = 0; lane < lanes; ++lane) sums[lane] += weight * line[lane];
  }
  for (int lane = 0; lane < lanes; ++lane)
    out[lane] = static_cast<uint8_t>(std::clamp(sums[lane] >> precision, 0, 255));
}

using SumLines = void (*)(const uint8_t*, ptrdiff_t, int, const int16_t*, int, int, uint8_t*);

void sum_lines_plain(const uint8_t* lines, ptrdiff_t stride, int lanes, const int16_t* weights, int count,
                     int precision, uint8_t* out) {
  sum_lines(lines, stride, lanes, weights, count, precision, out);
}

POPLENS_AVX2 void sum_lines_avx2(const uint8_t* lines, ptrdiff_t stride, int lanes, const int16_t* weights, int count,
                                 int precision, uint8_t* out) {
  sum_lines(lines, stride, lanes, weights, count, precision, out);
}

void resize_columns(const uint8_t* in, ptrdiff_t row_bytes, const ResampleWeights& axis, SumLines sum, uint8_t* out) {
  for (size_t y = 0; y < axis.first.size(); ++y) {
    for (ptrdiff_t x = 0; x < row_bytes; x += kLanes) {
      const int lanes = static_cast<int>(std::min<ptrdiff_t>(kLanes, row_bytes - x));
      sum(in + axis.first[y] * row_bytes + x, row_bytes, lanes, axis.weights.data() + y * axis.taps, axis.count[y],
          axis.precision, out + static_cast<ptrdiff_t>(y) * row_bytes + x);
    }
  }
}

// Rows are resized kRows at a time, transposed so that the sums run along contiguous lanes: [width, 3, kRows].
constexpr int kRows = 32;

void transpose(const uint8_t* in, ptrdiff_t in_stride, int rows, int columns, uint8_t* out, ptrdiff_t out_stride) {
  constexpr int kTile = 32;
  for (int column0 = 0; column0 < columns; column0 += kTile) {
    const int columns_end = std::min(column0 + kTile, columns);
    for (int row = 0; row < rows; ++row)
      for (int column = column0; column < columns_end; ++column)
        out[column * out_stride + row] = in[row * in_stride + column];
  }
}

void resize_rows(const Image& image, const ResampleWeights& axis, SumLines sum, Image& out) {
  constexpr int kPixel = 3 * kRows;
  const ptrdiff_t in_row = static_cast<ptrdiff_t>(image.width) * 3;
  const ptrdiff_t out_row = static_cast<ptrdiff_t>(out.width) * 3;
  std::vector<uint8_t> columns_in(static_cast<size_t>(image.width) * kPixel);
  std::vector<uint8_t> columns_out(static_cast<size_t>(out.width) * kPixel);
  for (int y = 0; y < image.height; y += kRows) {
    const int rows = std::min(kRows, image.height - y);
    transpose(image.rgb.data() + y * in_row, in_row, rows, static_cast<int>(in_row), columns_in.data(), kRows);
    for (int x = 0; x < out.width; ++x) {
      sum(columns_in.data() + static_cast<ptrdiff_t>(axis.first[x]) * kPixel, kPixel, kPixel,
          axis.weights.data() + static_cast<size_t>(x) * axis.taps, axis.count[x], axis.precision,
          columns_out.data() + static_cast<ptrdiff_t>(x) * kPixel);
    }
    for (int row = 0; row < rows; ++row) {
      uint8_t* to = out.rgb.data() + (y + row) * out_row;
      const uint8_t* from = columns_out.data() + row;
      for (ptrdiff_t column = 0; column < out_row; ++column) to[column] = from[column * kRows];
    }
  }
}

}  // namespace

Image resize(const Image& image, int width, int height, Filter filter) {
  const SumLines sum = have_avx2() ? sum_lines_avx2 : sum_lines_plain;
  const auto sized = [](int w, int h) {
    return Image{w, h, std::vector<uint8_t>(static_cast<size_t>(w) * static_cast<size_t>(h) * 3)};
  };

  Image rows_resized;
  const Image* rows = &image;
  if (width != image.width) {
    rows_resized = sized(width, image.height);
    resize_rows(image, resample_weights(image.width, width, filter), sum, rows_resized);
    rows = &rows_resized;
  }
  if (height == image.height) {
    if (rows == &image) return image;
    return rows_resized;
  }

  Image result = sized(width, height);
  resize_columns(rows->rgb.data(), static_cast<ptrdiff_t>(width) * 3, resample_weights(image.height, height, filter),
                 sum, result.rgb.data());
  return result;
}

}  // namespace poplens
