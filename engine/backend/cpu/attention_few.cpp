#include "engine/backend/cpu/attention_few.h"

#include <algorithm>
#include <cstddef>

#include "engine/backend/cpu/pack.h"

namespace poplens::cpu {
namespace {

constexpr int few = 16;

// The workspace, cut up: for each kv head and block what becomes of the rows there.
struct Tables {
  int rows;
  int blocks;
  int padded_rows;  // kernels read whole steps of rows
  int64_t score_size;
  int64_t sum_size;
  std::byte* memory;

  Tables(const Heads& heads, int row_count, int block_count, std::byte* shared)
      : rows(row_count),
        blocks(block_count),
        padded_rows((row_count + heads.kernels.row_step - 1) / heads.kernels.row_step * heads.kernels.row_step),
        score_size(int64_t{padded_rows} * heads.block()),
        sum_size(int64_t{padded_rows} * heads.width()),
        memory(shared) {}

  int64_t bytes(int kv_heads) const { return int64_t{kv_heads} * blocks * item_size() * 4; }

  float* scores(int kv_head, int block) const { return item(kv_head, block); }
  float* sums(int kv_head, int block) const { return item(kv_head, block) + score_size; }
  float* greatest(int kv_head, int block) const { return sums(kv_head, block) + sum_size; }  // of each row
  float* weight(int kv_head, int block) const { return greatest(kv_head, block) + padded_rows; }

 private:
  int64_t item_size() const { return (score_size + sum_size + 2 * padded_rows + 15) / 16 * 16; }
  float* item(int kv_head, int block) const {
    return reinterpret_cast<float*>(memory) + (int64_t{kv_head} * blocks + block) * item_size();
  }
};

// Two panels at a time, so that what is packed is still in the first-level cache when it is multiplied.
int keys_at_once(const Heads& heads) {
  return 2 * heads.kernels.panel_columns;
}

void score_block(const Heads& heads, const Tables& tables, int index, KeyBlock block, std::byte* memory) {
  std::byte* keys = memory;
  std::byte* q = memory + heads.bytes(packed_keys_size(heads));
  pack_queries(heads, 0, tables.rows, q);
  float* scores = tables.scores(heads.kv_head, index);
  for (int key = block.first; key < block.end; key += keys_at_once(heads)) {
    const KeyBlock some(key, std::min(key + keys_at_once(heads), block.end));
    pack_keys(heads, some, keys);
    score(heads, q, tables.rows, keys, some, some.end, scores + key - block.first);
  }
  for (int row = 0; row < tables.rows; ++row) {
    tables.greatest(heads.kv_head, index)[row] =
        mask_scores(heads, heads.range(row), block, scores + int64_t{row} * heads.block());
  }
}

// Sums relative to the greatest score of this block and all before it.
void sum_block(const Heads& heads, const Tables& tables, int index, KeyBlock block, std::byte* memory) {
  std::byte* values = memory;
  std::byte* powers = memory + heads.bytes(packed_values_size(heads));
  const float* scores = tables.scores(heads.kv_head, index);
  for (int row = 0; row < tables.rows; ++row) {
    float greatest = no_score;
    for (int i = 0; i <= index; ++i) greatest = std::max(greatest, tables.greatest(heads.kv_head, i)[row]);
    const int64_t at = int64_t{row} * heads.block();
    tables.weight(heads.kv_head, index)[row] =
        exponentials(heads, heads.range(row), block, block.end, scores + at, greatest, powers + heads.bytes(at));
  }
  const int panel_columns = heads.kernels.panel_columns;
  for (int column = 0; column < heads.width(); column += 2 * panel_columns) {
    const int panels = std::min(2, (heads.width() - column) / panel_columns);
    const int columns = std::min(panels * panel_columns, heads.shape.head_dim - column);
    pack_values(heads.values(block.first, block.count()).col_range(column, columns), heads.kernels, block.padded(),
                values);
    sum_values(heads, powers, tables.rows, {values, block.padded(), panels}, block, block.end,
               tables.sums(heads.kv_head, index) + column, false);
  }
}

// The blocks' sums one after another, as if they had been made one after another.
void merge_row(const Heads& heads, const Tables& tables, int row, float* sums) {
  std::fill_n(sums, heads.width(), 0.0F);
  float greatest = no_score, weight = 0;
  for (int index = 0; index < tables.blocks; ++index) {
    const float now = std::max(greatest, tables.greatest(heads.kv_head, index)[row]);
    const float* more = tables.sums(heads.kv_head, index) + int64_t{row} * heads.width();
    const float shrink = now > greatest ? shrinkage(heads, greatest, now) : 1.0F;
    for (int j = 0; j < heads.width(); ++j) sums[j] = sums[j] * shrink + more[j];
    weight = weight * shrink + tables.weight(heads.kv_head, index)[row];
    greatest = now;
  }
  store_row(heads, row, sums, weight);
}

}  // namespace

bool attend_few_rows(const Heads& any_head, const Workspace& workspace, ThreadPool& pool) {
  const int64_t all_rows = any_head.q.rows * any_head.group();
  if (all_rows > few) return false;
  const int rows = static_cast<int>(all_rows), size = any_head.block(), kv_heads = any_head.shape.kv_heads;
  const KeyRange visible{any_head.range(0).begin, any_head.range(rows - 1).end};
  const int first = visible.begin / size;
  const Tables tables(any_head, rows, (visible.end + size - 1) / size - first, workspace.shared());
  if (tables.bytes(kv_heads) > Workspace::shared_bytes) return false;

  const auto each_block = [&](const auto& step) {
    pool.parallel_for(int64_t{kv_heads} * tables.blocks, 1, [&](int64_t begin, int64_t end, int thread) {
      for (int64_t item = begin; item < end; ++item) {
        Heads heads = any_head;
        heads.kv_head = static_cast<int>(item / tables.blocks);
        const int index = static_cast<int>(item % tables.blocks);
        step(heads, tables, index, KeyBlock((first + index) * size, size, visible), workspace.of_thread(thread));
      }
    });
  };
  each_block(score_block);
  each_block(sum_block);
  pool.parallel_for(int64_t{kv_heads} * rows, 8, [&](int64_t begin, int64_t end, int thread) {
    for (int64_t item = begin; item < end; ++item) {
      Heads heads = any_head;
      heads.kv_head = static_cast<int>(item / rows);
      merge_row(heads, tables, static_cast<int>(item % rows), reinterpret_cast<float*>(workspace.of_thread(thread)));
    }
  });
  return true;
}

}  // namespace poplens::cpu
