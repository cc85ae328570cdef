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
  std::byte* keys;    // one packed block
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

// Rows [row, row + count) of the piece that begins at `base` against a packed block of keys.
void attend_rows(const Heads& heads, const Scratch& scratch, int64_t base, int row, int count, KeyBlock block) {
  const int end = std::min(block.end, heads.range(base + row + count - 1).end);
  float* sums = scratch.sums + int64_t{row} * heads.width();
  score(heads, scratch.q + heads.bytes(int64_t{row} * heads.depth()), count, scratch.keys, block, end, scratch.scores);
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
  sum_values(heads, scratch.powers, count, scratch.values, block, end, sums, true);
}

// Rows [base, base + rows) of one kv head, start to end.
void attend(const Heads& heads, int64_t base, int rows, std::byte* memory) {
  const Scratch scratch(heads, memory);
  pack_queries(heads, base, rows, scratch.q);
  std::fill_n(scratch.sums, int64_t{rows} * heads.width(), 0.0F);
  std::fill_n(scratch.greatest, rows, no_score);
  std::fill_n(scratch.weight, rows, 0.0F);

  const KeyRange visible{heads.range(base).begin, heads.range(base + rows - 1).end};
  const int size = heads.block(), step = heads.kernels.attention_rows;
  for (int at = visible.begin / size * size; at < visible.end; at += size) {
    const KeyBlock block(at, size, visible);
    pack_keys(heads, block, scratch.keys);
    pack_values(heads, block, scratch.values);
    int row = 0, stop = rows;
    while (row < rows && heads.range(base + row).end <= block.first) ++row;
    while (stop > row && heads.range(base + stop - 1).begin >= block.end) --stop;
    for (; row < stop; row += step) attend_rows(heads, scratch, base, row, std::min(step, stop - row), block);
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
  pool.parallel_for(pieces * shape.kv_heads, 1, [&](int64_t begin, int64_t end, int thread) {
    for (int64_t item = begin; item < end; ++item) {
      // Under a causal mask the last rows see the most keys: they come first, so that no thread ends late.
      const int64_t base = (pieces - 1 - item / shape.kv_heads) * piece;
      attend(heads_at(static_cast<int>(item % shape.kv_heads)), base, static_cast<int>(std::min(piece, rows - base)),
             workspace.of_thread(thread));
    }
  });
}

}  // namespace poplens::cpu
