#include "engine/backend/cpu/attention.h"

#include <algorithm>
#include <cstddef>

#include "engine/backend/cpu/attention_block.h"
#include "engine/backend/cpu/attention_few.h"
#include "engine/backend/cpu/epilogue.h"

namespace poplens::cpu {
namespace {

constexpr int most_rows = 256;  // in one piece of work

// A thread's scratch memory, cut up.
struct Scratch {
  std::byte* q;       // [most_rows, depth]
  float* sums;        // [most_rows, width]: sum of exponential * value
  float* greatest;    // [most_rows]: greatest score so far
  float* weight;      // [most_rows]: sum of exponentials
  std::byte* keys;    // one packed block, where the blocks of all do not fit
  std::byte* values;  // one packed block
  float* scores;      // [attention_rows, block]
  std::byte* powers;  // [attention_rows, block]: of the kernels' type; f32 takes the place of the scores

  Scratch(const Heads& heads, std::byte* memory) {
    const auto take = [&memory](int64_t bytes) {
      std::byte* piece = memory;
      memory += (bytes + 63) / 64 * 64;
      return piece;
    };
    const auto take_floats = [&take](int64_t count) { return reinterpret_cast<float*>(take(count * 4)); };
    // Kernels read whole steps of rows.
    const int64_t rows = heads.kernels.attention_rows + heads.kernels.row_step;
    q = take(heads.bytes((most_rows + rows) * heads.depth()));
    sums = take_floats(int64_t{most_rows} * heads.width());
    greatest = take_floats(most_rows);
    weight = take_floats(most_rows);
    keys = take(heads.bytes(packed_keys_size(heads)));
    values = take(heads.bytes(packed_values_size(heads)));
    scores = take_floats(rows * heads.block());
    powers = heads.kernels.type == DType::f32 ? reinterpret_cast<std::byte*>(scores)
                                              : take(heads.bytes(rows * heads.block()));
  }
};

// The keys and values of some kv heads, packed once for all rows, in the shared part of the workspace.
struct PackedHeads {
  KeyRange visible;  // to any row
  int first_block = 0;
  int blocks = 0;
  int first_head = 0;
  int heads_at_once = 0;  // 0: not even one head fits
  std::byte* memory = nullptr;

  PackedHeads(const Heads& heads, std::byte* shared)
      : visible{heads.range(0).begin, heads.ranges.back().end}, memory(shared) {
    first_block = visible.begin / heads.block();
    blocks = (visible.end - 1) / heads.block() + 1 - first_block;
    heads_at_once = static_cast<int>(
        std::min<int64_t>(Workspace::shared_bytes / (blocks * block_bytes(heads)), heads.shape.kv_heads));
  }

  std::byte* keys(const Heads& heads, int block) const {
    return memory + (int64_t{heads.kv_head - first_head} * blocks + block) * block_bytes(heads);
  }
  std::byte* values(const Heads& heads, int block) const {
    return keys(heads, block) + heads.bytes(packed_keys_size(heads));
  }
  KeyBlock block(const Heads& heads, int index) const {
    return {(first_block + index) * heads.block(), heads.block(), visible};
  }

 private:
  static int64_t block_bytes(const Heads& heads) {
    return heads.bytes(packed_keys_size(heads) + packed_values_size(heads));
  }
};

// A block of keys that a piece of work sees, packed.
struct PackedBlock {
  KeyBlock keys_seen;
  const std::byte* keys;
  PackedValues values;
};

PackedBlock packed_block(const Heads& heads, const PackedHeads& all, KeyRange visible, int at, const Scratch& scratch) {
  const KeyBlock seen(at, heads.block(), visible);
  const int panels = heads.width() / heads.kernels.panel_columns;
  if (all.heads_at_once == 0) {
    pack_keys(heads, seen, scratch.keys);
    pack_values(heads, seen, scratch.values);
    return {seen, scratch.keys, {scratch.values, seen.padded(), panels}};
  }
  const int index = at / heads.block() - all.first_block;
  const KeyBlock whole = all.block(heads, index);
  // A multiple of 32 keys, so of whole panels of keys and of whole steps of the values' depth.
  const int64_t skipped = seen.first - whole.first;
  return {seen,
          all.keys(heads, index) + heads.bytes(skipped * heads.depth()),
          {all.values(heads, index) + heads.bytes(skipped * heads.kernels.panel_columns), whole.padded(), panels}};
}

// Rows [row, row + count) of the piece that begins at `base` against a block of keys.
void attend_rows(const Heads& heads, const Scratch& scratch, int64_t base, int row, int count,
                 const PackedBlock& packed) {
  const KeyBlock block = packed.keys_seen;
  const int end = std::min(block.end, heads.range(base + row + count - 1).end);
  float* sums = scratch.sums + int64_t{row} * heads.width();
  score(heads, scratch.q + heads.bytes(int64_t{row} * heads.depth()), count, packed.keys, block, end, scratch.scores);
  for (int i = 0; i < count; ++i) {
    const KeyRange visible = heads.range(base + row + i);
    float* scores = scratch.scores + int64_t{i} * heads.block();
    float& greatest = scratch.greatest[row + i];
    float& weight = scratch.weight[row + i];
    const float now = std::max(greatest, mask_scores(heads, visible, block, scores));
    const float sum =
        exponentials(heads, visible, block, end, scores, now, scratch.powers + heads.bytes(int64_t{i} * heads.block()));
    if (now > greatest) {
      const float shrink = shrinkage(heads, greatest, now);
      weight *= shrink;
      scale_row(sums + int64_t{i} * heads.width(), heads.width(), shrink);
      greatest = now;
    }
    weight += sum;
  }
  sum_values(heads, scratch.powers, count, packed.values, block, end, sums, true);
}

// Rows [base, base + rows) of one kv head, start to end.
void attend(const Heads& heads, const PackedHeads& all, int64_t base, int rows, std::byte* memory) {
  const Scratch scratch(heads, memory);
  pack_queries(heads, base, rows, scratch.q);
  std::fill_n(scratch.sums, int64_t{rows} * heads.width(), 0.0F);
  std::fill_n(scratch.greatest, rows, no_score);
  std::fill_n(scratch.weight, rows, 0.0F);

  const KeyRange visible{heads.range(base).begin, heads.range(base + rows - 1).end};
  const int size = heads.block(), step = heads.kernels.attention_rows;
  for (int at = visible.begin / size * size; at < visible.end; at += size) {
    const PackedBlock packed = packed_block(heads, all, visible, at, scratch);
    int row = 0, stop = rows;
    while (row < rows && heads.range(base + row).end <= packed.keys_seen.first) ++row;
    while (stop > row && heads.range(base + stop - 1).begin >= packed.keys_seen.end) --stop;
    for (; row < stop; row += step) attend_rows(heads, scratch, base, row, std::min(step, stop - row), packed);
  }
  for (int i = 0; i < rows; ++i) {
    store_row(heads, base + i, scratch.sums + int64_t{i} * heads.width(), scratch.weight[i]);
  }
}

}  // namespace

void attention(const AttentionShape& shape, ConstMatrix q, ConstMatrix k, ConstMatrix v,
               std::span<const KeyRange> ranges, Matrix out, const Kernels& kernels, const Workspace& workspace,
               ThreadPool& pool) {
  const auto heads_at = [&](int kv_head) { return Heads{shape, q, k, v, ranges, out, kernels, kv_head}; };
  const int64_t rows = q.rows * heads_at(0).group();
  if (rows == 0) return;
  if (attend_few_rows(heads_at(0), workspace, pool)) return;

  int64_t piece = most_rows;
  while (piece > 2 * kernels.attention_rows && (rows + piece - 1) / piece * shape.kv_heads < 8 * pool.size())
    piece /= 2;
  const int64_t pieces = (rows + piece - 1) / piece;
  PackedHeads packed(heads_at(0), workspace.shared());
  const int heads_at_once = packed.heads_at_once > 0 ? packed.heads_at_once : shape.kv_heads;
  for (packed.first_head = 0; packed.first_head < shape.kv_heads; packed.first_head += heads_at_once) {
    const int count = std::min(heads_at_once, shape.kv_heads - packed.first_head);
    if (packed.heads_at_once > 0) {
      pool.parallel_for(int64_t{count} * packed.blocks, 1, [&](int64_t begin, int64_t end, int) {
        for (int64_t item = begin; item < end; ++item) {
          const Heads heads = heads_at(packed.first_head + static_cast<int>(item / packed.blocks));
          const int index = static_cast<int>(item % packed.blocks);
          pack_keys(heads, packed.block(heads, index), packed.keys(heads, index));
          pack_values(heads, packed.block(heads, index), packed.values(heads, index));
        }
      });
    }
    pool.parallel_for(pieces * count, 1, [&](int64_t begin, int64_t end, int thread) {
      for (int64_t item = begin; item < end; ++item) {
        // Under a causal mask the last rows see the most keys: they come first, so that no thread ends late.
        const int64_t base = (pieces - 1 - item / count) * piece;
        attend(heads_at(packed.first_head + static_cast<int>(item % count)), packed, base,
               static_cast<int>(std::min(piece, rows - base)), workspace.of_thread(thread));
      }
    });
  }
}

}  // namespace poplens::cpu
