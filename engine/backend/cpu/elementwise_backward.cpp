#include "engine/backend/cpu/elementwise_backward.h"

#include "engine/backend/cpu/backward_rows.h"
#include "engine/backend/cpu/each_row.h"
#include "engine/backend/cpu/epilogue.h"

namespace poplens::cpu {
namespace {

const float* floats(ConstMatrix matrix, int64_t row) {
  return static_cast<const float*>(matrix.data) + row * matrix.stride;
}

float* floats(Matrix matrix, int64_t row) {
  return static_cast<float*>(matrix.data) + row * matrix.stride;
}

}  // namespace

void gated_product(ConstMatrix gate, ConstMatrix up, Activation activation, Matrix out, ThreadPool& pool) {
  for_each_row(out.rows, out.cols, pool, [&](int64_t row) {
    store_gated(floats(gate, row), floats(up, row), out.cols, activation, out.row_range(row, 1));
  });
}

void gated_product_backward(ConstMatrix grad, Activation activation, Matrix gate, Matrix up, ThreadPool& pool) {
  for_each_row(grad.rows, grad.cols, pool, [&](int64_t row) {
    gated_product_backward_row(floats(grad, row), grad.cols, activation, floats(gate, row), floats(up, row));
  });
}

void rms_norm_backward(ConstMatrix x, const float* weight, float eps, ConstMatrix grad, Matrix out, bool accumulate,
                       ThreadPool& pool) {
  for_each_row(x.rows, x.cols, pool, [&](int64_t row) {
    rms_norm_backward_row(floats(x, row), x.cols, weight, eps, floats(grad, row), floats(out, row), accumulate);
  });
}

void norm_rotate_heads_backward(ConstMatrix x, int head_dim, const float* norm_weight, float eps, const float* cos,
                                const float* sin, Matrix grad, ThreadPool& pool) {
  const auto heads = static_cast<int>(x.cols / head_dim);
  const int64_t half = head_dim / 2;
  for_each_row(x.rows, x.cols, pool, [&](int64_t row) {
    norm_rotate_backward_row(floats(x, row), heads, head_dim, norm_weight, eps,
                             cos != nullptr ? cos + row * half : nullptr, sin != nullptr ? sin + row * half : nullptr,
                             floats(grad, row));
  });
}

void row_dots(ConstMatrix a, ConstMatrix b, std::span<float> out, ThreadPool& pool) {
  for_each_row(a.rows, a.cols, pool,
               [&](int64_t row) { out[static_cast<size_t>(row)] = dot_row(floats(a, row), floats(b, row), a.cols); });
}

}  // namespace poplens::cpu
