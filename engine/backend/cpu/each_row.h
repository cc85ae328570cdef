// Rows shared out among the pool's threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/backend/cpu/thread_pool.h"

namespace poplens::cpu {

// Rows in a piece of work: enough values that sharing them out costs next to nothing.
inline int64_t rows_per_piece(int64_t cols) {
  constexpr int64_t kValues = 16384;
  return std::max<int64_t>(1, kValues / std::max<int64_t>(1, cols));
}

template <typename RowFunction>
void for_each_row(int64_t rows, int64_t cols, ThreadPool& pool, const RowFunction& row_function) {
  pool.parallel_for(rows, rows_per_piece(cols), [&](int64_t begin, int64_t end, int /*thread*/) {
    for (int64_t row = begin; row < end; ++row) row_function(row);
  });
}

}  // namespace poplens::cpu
