// Matrices of numbers in double precision for tests: inputs, references and bounds.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/backend/tensor.h"

namespace poplens::test {

// [rows, cols], dense, row-major.
struct Values {
  int64_t rows = 0;
  int64_t cols = 0;
  std::vector<double> data;

  Values() = default;
  Values(int64_t row_count, int64_t col_count, double value = 0)
      : rows(row_count), cols(col_count), data(static_cast<size_t>(row_count * col_count), value) {}

  double& at(int64_t row, int64_t col) { return data[static_cast<size_t>(row * cols + col)]; }
  double at(int64_t row, int64_t col) const { return data[static_cast<size_t>(row * cols + col)]; }
  const double* row(int64_t index) const { return data.data() + index * cols; }

  Values row_range(int64_t first, int64_t count) const;
  Values col_range(int64_t first, int64_t count) const;
};

// The bits that stand for `value` in the format, rounded to nearest even, in the low bits. f16: |value| < 65504.
uint32_t bits_of(double value, DType dtype);
// `value` rounded to the format.
double rounded(double value, DType dtype);
// The greatest relative error of rounding to the format: 2^-24, 2^-11, 2^-8.
double rounding_of(DType dtype);

// Numbers of a normal distribution (deviation `scale`), already rounded to `dtype`; the same for the same seed.
Values random_values(int64_t rows, int64_t cols, double scale, DType dtype, uint32_t seed);

}  // namespace poplens::test
