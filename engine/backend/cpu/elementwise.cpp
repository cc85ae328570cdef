#include "engine/backend/cpu/elementwise.h"

#include "engine/backend/cpu/each_row.h"
#include "engine/backend/cpu/elementwise_rows.h"

namespace poplens::cpu {

namespace {

ConstRow row_of(ConstMatrix matrix, int64_t row) {
  return {matrix.row_range(row, 1).data, matrix.dtype};
}

Row row_of(Matrix matrix, int64_t row) {
  return {matrix.row_range(row, 1).data, matrix.dtype};
}

}  // namespace

void rms_norm(ConstMatrix x, const float* weight, float eps, Matrix out, bool accumulate, ThreadPool& pool) {
  const auto* values = static_cast<const float*>(x.data);
  for_each_row(x.rows, x.cols, pool, [&](int64_t row) {
    rms_norm_row(values + row * x.stride, x.cols, weight, eps, row_of(out, row), accumulate);
  });
}

void layer_norm(ConstMatrix x, const float* weight, const float* bias, float eps, Matrix out, ThreadPool& pool) {
  const auto* values = static_cast<const float*>(x.data);
  for_each_row(x.rows, x.cols, pool, [&](int64_t row) {
    layer_norm_row(values + row * x.stride, x.cols, weight, bias, eps, row_of(out, row));
  });
}

void norm_rotate_heads(Matrix x, int head_dim, const float* norm_weight, float eps, const float* cos, const float* sin,
                       ThreadPool& pool) {
  const auto heads = static_cast<int>(x.cols / head_dim);
  const int64_t half = head_dim / 2;
  for_each_row(x.rows, x.cols, pool, [&](int64_t row) {
    norm_rotate_row(row_of(x, row), heads, head_dim, norm_weight, eps, cos != nullptr ? cos + row * half : nullptr,
                    sin != nullptr ? sin + row * half : nullptr);
  });
}

void embed(ConstMatrix table, std::span<const int32_t> ids, float scale, Matrix out, ThreadPool& pool) {
  for_each_row(out.rows, out.cols, pool, [&](int64_t row) {
    copy_scaled_row(row_of(table, ids[static_cast<size_t>(row)]), out.cols, scale, row_of(out, row));
  });
}

void add(ConstMatrix x, Matrix out, float scale, ThreadPool& pool) {
  for_each_row(x.rows, x.cols, pool, [&](int64_t row) { add_row(row_of(x, row), x.cols, scale, row_of(out, row)); });
}

void copy(ConstMatrix x, Matrix out, ThreadPool& pool) {
  constexpr float kUnscaled = 1.0F;
  for_each_row(x.rows, x.cols, pool,
               [&](int64_t row) { copy_scaled_row(row_of(x, row), x.cols, kUnscaled, row_of(out, row)); });
}

}  // namespace poplens::cpu
