// Views of row-major matrices in a backend's memory. A view owns nothing; whoever hands one out keeps the memory alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace poplens {

enum class DType : uint8_t { f32, f16, bf16 };

constexpr int64_t size_of(DType dtype) {
  return dtype == DType::f32 ? 4 : 2;
}
const char* name_of(DType dtype);

// [rows, cols], element (r, c) at data + r * stride + c (in elements of dtype).
template <typename Pointer>
struct BasicMatrix {
  Pointer data = nullptr;
  DType dtype = DType::f32;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t stride = 0;

  // Rows [first, first + count).
  BasicMatrix row_range(int64_t first, int64_t count) const { return {at(first * stride), dtype, count, cols, stride}; }
  // Columns [first, first + count).
  BasicMatrix col_range(int64_t first, int64_t count) const { return {at(first), dtype, rows, count, stride}; }

  explicit operator bool() const { return data != nullptr; }
  template <typename Other>
  operator BasicMatrix<Other>() const {
    return {data, dtype, rows, cols, stride};
  }

 private:
  Pointer at(int64_t elements) const {
    using Byte = std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>, const std::byte, std::byte>;
    return static_cast<Byte*>(data) + elements * size_of(dtype);
  }
};

using Matrix = BasicMatrix<void*>;
using ConstMatrix = BasicMatrix<const void*>;

}  // namespace poplens
