// Matrices in a backend's memory for the conformance tests. Around every one, and in the gaps between its rows, lie
// NaNs: an operation that reads there spoils its result, one that writes there is found out.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/backend/backend.h"
#include "tests/support/values.h"

namespace poplens::test {

// What operations read and write: f32 or bf16, NaN everywhere until filled.
class DeviceMatrix {
 public:
  // `gap`: how much longer the stride is than the row.
  DeviceMatrix(Backend& backend, DType dtype, int64_t rows, int64_t cols, int64_t gap = 5);
  DeviceMatrix(Backend& backend, DType dtype, const Values& values, int64_t gap = 5);

  void fill(const Values& values);
  Matrix view() const { return view_; }
  Values values() const;
  // Whether every NaN outside the matrix is still there.
  bool surroundings_untouched() const;

 private:
  Backend* backend_;
  Buffer buffer_;
  Matrix whole_;  // one row before, one behind
  Matrix view_;
  int64_t first_col_;
};

// What operations only read: a weight of any type, brought in by Backend::import from the host's memory.
class DeviceWeight {
 public:
  DeviceWeight(Backend& backend, DType dtype, const Values& values, int64_t gap = 3);

  ConstMatrix view() const { return view_; }
  // The one row of a weight that is an f32 vector.
  const float* vector() const { return static_cast<const float*>(view_.data); }

 private:
  std::shared_ptr<std::vector<uint32_t>> host_;
  Buffer buffer_;
  ConstMatrix view_;
};

}  // namespace poplens::test
