#include "tests/support/values.h"

#include <bit>
#include <cmath>
#include <random>

#include "engine/base/float_formats.h"

namespace poplens::test {

namespace {

uint32_t f16_bits_of(double value) {
  const uint32_t sign = std::signbit(value) ? 0x8000U : 0U;
  const double size = std::fabs(value);
  if (size < 0x1p-14) return sign | static_cast<uint32_t>(std::nearbyint(size * 0x1p24));
  const int exponent = std::ilogb(size);
  // 1024 steps to the next power of two; a fraction rounded up to it carries into the exponent.
  const auto steps = static_cast<uint32_t>(std::nearbyint(std::ldexp(size, 10 - exponent)));
  return sign | ((static_cast<uint32_t>(exponent + 14) << 10) + steps);
}

}  // namespace

Values Values::row_range(int64_t first, int64_t count) const {
  Values part(count, cols);
  for (int64_t r = 0; r < count; ++r) {
    for (int64_t c = 0; c < cols; ++c) part.at(r, c) = at(first + r, c);
  }
  return part;
}

Values Values::col_range(int64_t first, int64_t count) const {
  Values part(rows, count);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < count; ++c) part.at(r, c) = at(r, first + c);
  }
  return part;
}

uint32_t bits_of(double value, DType dtype) {
  switch (dtype) {
    case DType::f16:
      return f16_bits_of(value);
    case DType::bf16:
      return bf16_from_f32(static_cast<float>(value));
    case DType::f32:
      break;
  }
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

double rounded(double value, DType dtype) {
  const uint32_t bits = bits_of(value, dtype);
  switch (dtype) {
    case DType::f16:
      return f32_from_f16(static_cast<uint16_t>(bits));
    case DType::bf16:
      return f32_from_bf16(static_cast<uint16_t>(bits));
    case DType::f32:
      break;
  }
  return std::bit_cast<float>(bits);
}

double rounding_of(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return 0x1p-11;
    case DType::bf16:
      return 0x1p-8;
    case DType::f32:
      break;
  }
  return 0x1p-24;
}

Values random_values(int64_t rows, int64_t cols, double scale, DType dtype, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0.0, scale);
  Values values(rows, cols);
  for (double& value : values.data) value = rounded(normal(random), dtype);
  return values;
}

}  // namespace poplens::test
