#include "engine/model/device_weights.h"

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

}  // namespace poplens
