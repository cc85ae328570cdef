// Weights placed in a backend's memory.
#pragma once

#include <string_view>

#include "engine/backend/backend.h"
#include "engine/base/result.h"
#include "engine/model/weight_source.h"

namespace poplens {

struct DeviceMatrix {
  ConstMatrix view;
  Buffer buffer;
};

struct DeviceVector {
  Buffer buffer;
  int64_t size = 0;
  const float* data() const { return static_cast<const float*>(buffer.data.get()); }
};

// [rows, cols] in the type it is stored in; zero copy where the backend can read the host's memory.
Result<DeviceMatrix> place_matrix(const WeightSource& source, Backend& backend, std::string_view name, int64_t rows,
                                  int64_t cols);
// [n] in f32, `offset` added to every value.
Result<DeviceVector> place_vector(const WeightSource& source, Backend& backend, std::string_view name, int64_t n,
                                  float offset = 0.0F);

// A dense activation matrix of the backend's own, [rows, cols].
struct DeviceArray {
  Buffer buffer;
  DType dtype = DType::f32;
  int64_t rows = 0;
  int64_t cols = 0;
  Matrix view() const { return {buffer.data.get(), dtype, rows, cols, cols}; }
};

Result<DeviceArray> allocate_array(Backend& backend, DType dtype, int64_t rows, int64_t cols);

// Writes 0 to all of a matrix of the backend's own. Memory that nobody has written to yet is given when it is first
// used, which takes its time: whoever times something writes to it before.
void clear(Backend& backend, const Matrix& matrix);

}  // namespace poplens
