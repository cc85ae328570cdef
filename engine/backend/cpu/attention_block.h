// The steps of attention that work on one block of keys of one key/value head, shared by the ways to go through the
// blocks (attention.cpp: many rows, one block after another; attention_few.cpp: few rows, all blocks at once).
//
// A row is one query of one of the heads that share the kv head; rows of one query stand together. Each row is computed
// by the same steps in both ways: its bits are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/backend/backend.h"
#include "engine/backend/cpu/kernels.h"

namespace poplens::cpu {

constexpr float no_score = -std::numeric_limits<float>::infinity();

// One attention call, seen from one kv head.
struct Heads {
  const AttentionShape& shape;
  ConstMatrix q, k, v;
  std::span<const KeyRange> ranges;
  Matrix out;
  const Kernels& kernels;
  int kv_head = 0;

  int group() const { return shape.heads / shape.kv_heads; }
  // Keys in a block, which begins at a multiple of it: packed keys and values stay in the second-level cache.
  int block() const { return shape.head_dim <= 64 ? 256 : shape.head_dim <= 128 ? 128 : 64; }
  int depth() const;  // the head's width as depth of q · k^T: padded
  int width() const;  // and as columns of the second product
  // From packed keys, values, queries and exponentials to bytes.
  int64_t bytes(int64_t elements) const { return elements * size_of(kernels.type); }

  KeyRange range(int64_t row) const { return ranges[static_cast<size_t>(row / group())]; }
  ConstMatrix keys(int first, int count) const { return of_kv_head(k, first, count); }
  ConstMatrix values(int first, int count) const { return of_kv_head(v, first, count); }
  ConstMatrix query(int64_t row) const { return of_row(q, row); }
  Matrix result(int64_t row) const { return of_row(out, row); }

 private:
  ConstMatrix of_kv_head(ConstMatrix m, int first, int count) const {
    return m.row_range(first, count).col_range(int64_t{kv_head} * shape.head_dim, shape.head_dim);
  }
  template <typename Pointer>
  BasicMatrix<Pointer> of_row(BasicMatrix<Pointer> m, int64_t row) const {
    const int64_t head = int64_t{kv_head} * group() + row % group();
    return m.row_range(row / group(), 1).col_range(head * shape.head_dim, shape.head_dim);
  }
};

// The keys [first, end) of a block that some row sees. `first` is a multiple of 32, so that sums over keys run through
// the same lanes for every row, whatever the rows beside it see.
struct KeyBlock {
  int first = 0;
  int end = 0;

  // Of the block that begins at `at`, with keys visible in [visible.begin, visible.end).
  KeyBlock(int at, int block, KeyRange visible);
  KeyBlock(int first_key, int end_key) : first(first_key), end(end_key) {}

  int count() const { return end - first; }
  int padded() const { return (count() + 31) / 32 * 32; }
};

// Sizes of packed operands and results, in elements.
int64_t packed_keys_size(const Heads& heads);
int64_t packed_values_size(const Heads& heads);

void pack_queries(const Heads& heads, int64_t first_row, int rows, std::byte* q);
void pack_keys(const Heads& heads, KeyBlock block, std::byte* keys);
void pack_values(const Heads& heads, KeyBlock block, std::byte* values);

// Panels of values (all of the head's width or some), packed from a block's first key on.
struct PackedValues {
  const std::byte* data;
  int depth;  // of the packing
  int panels;
};

// scores [rows, heads.block()] = q · keys^T, for the keys of the block before `end` at least.
void score(const Heads& heads, const std::byte* q, int rows, const std::byte* keys, KeyBlock block, int end,
           float* scores);
// sums (rows of heads.width()) = powers · values, or += ; powers [rows, heads.block()] of the block's keys before
// `end`.
void sum_values(const Heads& heads, const std::byte* powers, int rows, PackedValues values, KeyBlock block, int end,
                float* sums, bool accumulate);

// Puts -infinity in the place of the scores of keys that the row does not see, as far as exponentials() will read, and
// returns the greatest of the others: no_score if the row sees none.
float mask_scores(const Heads& heads, KeyRange visible, KeyBlock block, float* scores);
// powers[j] = exp(scale * (scores[j] - greatest)) for the keys of the block before `end`, exactly 0 where the row does
// not see them. Returns their sum. powers may take the place of scores (f32).
float exponentials(const Heads& heads, KeyRange visible, KeyBlock block, int end, const float* scores, float greatest,
                   std::byte* powers);
// What sums that were made for `before` as greatest score are multiplied with once it is `now`.
float shrinkage(const Heads& heads, float before, float now);

// Divides a row's sums by the sum of its exponentials and stores it.
void store_row(const Heads& heads, int64_t row, float* sums, float weight);

}  // namespace poplens::cpu
