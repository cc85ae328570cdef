#include "engine/model/device_weights.h"

#include <algorithm>

namespace poplens {

Result<DeviceMatrix> place_matrix(const WeightSource& source, Backend& backend, std::string_view name, int64_t rows,
                                  int64_t cols) {
  POPLENS_TRY(host, source.matrix(name, rows, cols));
  POPLENS_TRY(buffer, backend.import(host.view, host.owner));
  ConstMatrix view = host.view;
  view.data = buffer.data.get();
  return DeviceMatrix{view, buffer};
}

Result<DeviceVector> place_vector(const WeightSource& source, Backend& backend, std::string_view name, int64_t n,
                                  float offset) {
  POPLENS_TRY(values, source.vector(name, n));
  for (float& value : values) value += offset;
  POPLENS_TRY(buffer, backend.allocate(n * size_of(DType::f32)));
  backend.write(values, {buffer.data.get(), DType::f32, 1, n, n});
  return DeviceVector{buffer, n};
}

Result<DeviceArray> allocate_array(Backend& backend, DType dtype, int64_t rows, int64_t cols) {
  POPLENS_TRY(buffer, backend.allocate(rows * cols * size_of(dtype)));
  return DeviceArray{buffer, dtype, rows, cols};
}

void clear(Backend& backend, const Matrix& matrix) {
  constexpr int64_t kSliceFloats = int64_t{1} << 18;  // of the host's
  const int64_t slice = std::max<int64_t>(1, std::min(matrix.rows, kSliceFloats / std::max<int64_t>(matrix.cols, 1)));
  const std::vector<float> zeros(static_cast<size_t>(slice * matrix.cols), 0.0F);
  for (int64_t row = 0; row < matrix.rows; row += slice) {
    const int64_t rows = std::min(slice, matrix.rows - row);
    backend.write(std::span(zeros).first(static_cast<size_t>(rows * matrix.cols)), matrix.row_range(row, rows));
  }
}

}  // namespace poplens
