#include "engine/backend/cpu/attention.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "engine/backend/cpu/epilogue.h"
#include "engine/backend/cpu/pack.h"

namespace poplens::cpu {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr int most_rows = 256;  // of queries in one piece of work
constexpr int sum_step = 32;    // see Kernels::exponentials

int round_up(int a, int step) {
  return (a + step - 1) / step * step;
}

// Keys in a block: packed keys and values of a block stay in the second-level cache.
int block_keys(int head_dim) {
  return head_dim <= 64 ? 256 : head_dim <= 128 ? 128 : 64;
}

// One kv head's call: a row is one query of one of the heads that share the kv head, rows of one query together.
struct Heads {
  const AttentionShape& shape;
  ConstMatrix q, k, v;
  std::span<const KeyRange> ranges;
  Matrix out;
  const Kernels& kernels;
  int kv_head = 0;

  int group() const { return shape.heads / shape.kv_heads; }
  int block() const { return block_keys(shape.head_dim); }
  // The head's width as depth of the first product, and as columns of the second.
  int depth() const { return round_up(shape.head_dim, kernels.depth_step); }
  int width() const { return round_up(shape.head_dim, kernels.panel_columns); }

  KeyRange range(int64_t row) const { return ranges[static_cast<size_t>(row / group())]; }
  template <typename Pointer>
  BasicMatrix<Pointer> of_row(BasicMatrix<Pointer> m, int64_t row) const {
    const int64_t head = static_cast<int64_t>(kv_head) * group() + row % group();
    return m.row_range(row / group(), 1).col_range(head * shape.head_dim, shape.head_dim);
  }
  ConstMatrix keys_of(ConstMatrix m, int first, int count) const {
    return m.row_range(first, count).col_range(static_cast<int64_t>(kv_head) * shape.head_dim, shape.head_dim);
  }
};

// A thread's scratch memory, cut up.
struct Scratch {
  std::byte* q;       // [most_rows, depth]
  float* sums;        // [most_rows, width]: sum of exponential * value
  float* greatest;    // [most_rows]: greatest score so far
  float* weight;      // [most_rows]: sum of exponentials
  std::byte* keys;    // panels of [depth, block]
  std::byte* values;  // panels of [block, width]
  float* scores;      // [attention_rows, block]
  std::byte* powers;  // [attention_rows, block]: of the kernels' type; f32 takes the place of the scores

  Scratch(const Heads& heads, std::byte* memory) {
    const int64_t element = size_of(heads.kernels.type);
    const int rows = round_up(heads.kernels.attention_rows, heads.kernels.row_step);
    const auto take = [&memory](int64_t bytes) {
      std::byte* piece = memory;
      memory += (bytes + 63) / 64 * 64;
      return piece;
    };
    q = take(int64_t{most_rows + rows} * heads.depth() * element);
    sums = reinterpret_cast<float*>(take(int64_t{most_rows + rows} * heads.width() * 4));
    greatest = reinterpret_cast<float*>(take(most_rows * 4));
    weight = reinterpret_cast<float*>(take(most_rows * 4));
    keys = take(int64_t{heads.block()} * heads.depth() * element);
    values = take(int64_t{heads.block()} * heads.width() * element);
    scores = reinterpret_cast<float*>(take(int64_t{rows} * heads.block() * 4));
    powers = heads.kernels.type == DType::f32 ? reinterpret_cast<std::byte*>(scores)
                                              : take(int64_t{rows} * heads.block() * element);
  }
};

// Turns a row of scores of keys [first, first + padded) into exponentials and brings the row's sums to the new greatest
// score. Keys outside `visible` get exactly 0.
void soften(const Heads& heads, KeyRange visible, int first, int padded, float* scores, std::byte* powers,
            float& greatest, float& weight, float* sums) {
  const int64_t element = size_of(heads.kernels.type);
  const auto clear = [&](int from, int to) {
    if (from < to) std::memset(powers + from * element, 0, static_cast<size_t>((to - from) * element));
  };
  const int begin = std::max(visible.begin - first, 0);
  const int end = std::min(visible.end - first, padded);
  if (begin >= end) return clear(0, padded);

  const int start = begin / sum_step * sum_step;
  const int stop = round_up(end, sum_step);
  std::fill(scores + start, scores + begin, -infinity);
  std::fill(scores + end, scores + stop, -infinity);
  const float factor = heads.shape.scale * 1.44269504F;  // 1 / ln 2
  const float now = std::max(greatest, heads.kernels.maximum(scores + begin, end - begin));
  const float sum =
      heads.kernels.exponentials(scores + start, stop - start, factor, now * factor, powers + start * element);
  clear(0, start);
  clear(stop, padded);
  if (now > greatest) {
    const float shrink = greatest == -infinity ? 0.0F : std::exp2((greatest - now) * factor);
    weight *= shrink;
    scale_row(sums, heads.width(), shrink);
    greatest = now;
  }
  weight += sum;
}

// Rows [row, row + count) of the piece that begins at `base` against the packed keys [first, end).
void attend_rows(const Heads& heads, const Scratch& scratch, int64_t base, int row, int count, int first,
                 int packed_end) {
  const Kernels& kernels = heads.kernels;
  const int block = heads.block();
  const int end = std::min(packed_end, heads.range(base + row + count - 1).end);
  const int padded = round_up(end - first, sum_step);
  const int panels = round_up(end - first, kernels.panel_columns) / kernels.panel_columns;
  float* sums = scratch.sums + static_cast<int64_t>(row) * heads.width();
  kernels.multiply({.a = scratch.q + int64_t{row} * heads.depth() * size_of(kernels.type),
                    .a_stride = heads.depth(),
                    .rows = count,
                    .b = scratch.keys,
                    .panels = panels,
                    .depth = heads.depth(),
                    .panel_depth = heads.depth(),
                    .c = scratch.scores,
                    .c_stride = block,
                    .accumulate = false});
  for (int i = 0; i < count; ++i) {
    soften(heads, heads.range(base + row + i), first, padded, scratch.scores + int64_t{i} * block,
           scratch.powers + int64_t{i} * block * size_of(kernels.type), scratch.greatest[row + i],
           scratch.weight[row + i], sums + int64_t{i} * heads.width());
  }
  const int value_panels = heads.width() / kernels.panel_columns;
  kernels.multiply({.a = scratch.powers,
                    .a_stride = block,
                    .rows = count,
                    .b = scratch.values,
                    .panels = value_panels,
                    .depth = padded,
                    .panel_depth = round_up(packed_end - first, sum_step),
                    .c = sums,
                    .c_stride = heads.width(),
                    .accumulate = true});
}

// Rows [base, base + rows) of one kv head, start to end.
void attend(const Heads& heads, int64_t base, int rows, std::byte* memory) {
  const Kernels& kernels = heads.kernels;
  const Scratch scratch(heads, memory);
  for (int i = 0; i < rows; ++i) {
    pack_rows(heads.of_row(heads.q, base + i), kernels.type, heads.depth(),
              scratch.q + int64_t{i} * heads.depth() * size_of(kernels.type), heads.depth());
  }
  std::fill_n(scratch.sums, int64_t{rows} * heads.width(), 0.0F);
  std::fill_n(scratch.greatest, rows, -infinity);
  std::fill_n(scratch.weight, rows, 0.0F);

  const int begin = heads.range(base).begin, end = heads.range(base + rows - 1).end;
  const int block = heads.block();
  for (int at = begin / block * block; at < end; at += block) {
    const int first = std::max(at, begin / sum_step * sum_step);
    const int behind = std::min(at + block, end);
    pack_columns(heads.keys_of(heads.k, first, behind - first), nullptr, kernels, heads.depth(), scratch.keys);
    pack_values(heads.keys_of(heads.v, first, behind - first), kernels, round_up(behind - first, sum_step),
                scratch.values);
    int row = 0;
    while (row < rows && heads.range(base + row).end <= first) ++row;
    int stop = rows;
    while (stop > row && heads.range(base + stop - 1).begin >= behind) --stop;
    for (; row < stop; row += kernels.attention_rows) {
      attend_rows(heads, scratch, base, row, std::min(kernels.attention_rows, stop - row), first, behind);
    }
  }
  for (int i = 0; i < rows; ++i) {
    float* sums = scratch.sums + int64_t{i} * heads.width();
    scale_row(sums, heads.width(), 1.0F / scratch.weight[i]);
    store_product(sums, heads.width(), nullptr, Activation::none, false, heads.of_row(heads.out, base + i));
  }
}

}  // namespace

void attention(const AttentionShape& shape, ConstMatrix q, ConstMatrix k, ConstMatrix v,
               std::span<const KeyRange> ranges, Matrix out, const Kernels& kernels, const Workspace& workspace,
               ThreadPool& pool) {
  const int64_t rows = q.rows * (shape.heads / shape.kv_heads);
  int64_t piece = most_rows;
  while (piece > 2 * kernels.attention_rows && (rows + piece - 1) / piece * shape.kv_heads < 8 * pool.size())
    piece /= 2;
  const int64_t pieces = (rows + piece - 1) / piece;
  pool.parallel_for(pieces * shape.kv_heads, 1, [&](int64_t begin, int64_t end, int thread) {
    for (int64_t item = begin; item < end; ++item) {
      // Under a causal mask the last rows see the most keys: they come first, so that no thread ends late.
      const int64_t base = (pieces - 1 - item / shape.kv_heads) * piece;
      const Heads heads{shape, q, k, v, ranges, out, kernels, static_cast<int>(item % shape.kv_heads)};
      attend(heads, base, static_cast<int>(std::min(piece, rows - base)), workspace.of_thread(thread));
    }
  });
}

}  // namespace poplens::cpu
