#include "engine/backend/cpu/attention_block.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/backend/cpu/epilogue.h"
#include "engine/backend/cpu/pack.h"

namespace poplens::cpu {
namespace {

constexpr int sum_step = 32;  // see Kernels::exponentials

int round_up(int a, int step) {
  return (a + step - 1) / step * step;
}

// The part of a block that a row sees, relative to the block's first key; none if begin >= end.
KeyRange within(KeyRange visible, KeyBlock block) {
  return {std::max(visible.begin - block.first, 0), std::min(visible.end, block.end) - block.first};
}

float exponent_factor(const Heads& heads) {
  return heads.shape.scale * 1.44269504F;  // 1 / ln 2
}

}  // namespace

int Heads::depth() const {
  return round_up(shape.head_dim, kernels.depth_step);
}

int Heads::width() const {
  return round_up(shape.head_dim, kernels.panel_columns);
}

KeyBlock::KeyBlock(int at, int block, KeyRange visible)
    : first(std::max(at, visible.begin / sum_step * sum_step)), end(std::min(at + block, visible.end)) {}

int64_t packed_keys_size(const Heads& heads) {
  return int64_t{round_up(heads.block(), heads.kernels.panel_columns)} * heads.depth();
}

int64_t packed_values_size(const Heads& heads) {
  return int64_t{heads.block()} * heads.width();
}

void pack_queries(const Heads& heads, int64_t first_row, int rows, std::byte* q) {
  for (int i = 0; i < rows; ++i) {
    pack_rows(heads.query(first_row + i), heads.kernels.type, heads.depth(),
              q + heads.bytes(int64_t{i} * heads.depth()), heads.depth());
  }
}

void pack_keys(const Heads& heads, KeyBlock block, std::byte* keys) {
  pack_columns(heads.keys(block.first, block.count()), nullptr, heads.kernels, heads.depth(), keys);
}

void pack_values(const Heads& heads, KeyBlock block, std::byte* values) {
  pack_values(heads.values(block.first, block.count()), heads.kernels, block.padded(), values);
}

void score(const Heads& heads, const std::byte* q, int rows, const std::byte* keys, KeyBlock block, int end,
           float* scores) {
  const int panel_columns = heads.kernels.panel_columns;
  heads.kernels.multiply({.a = q,
                          .a_stride = heads.depth(),
                          .rows = rows,
                          .b = keys,
                          .panels = round_up(end - block.first, panel_columns) / panel_columns,
                          .depth = heads.depth(),
                          .panel_depth = heads.depth(),
                          .c = scores,
                          .c_stride = heads.block()});
}

void sum_values(const Heads& heads, const std::byte* powers, int rows, PackedValues values, KeyBlock block, int end,
                float* sums, bool accumulate) {
  heads.kernels.multiply({.a = powers,
                          .a_stride = heads.block(),
                          .rows = rows,
                          .b = values.data,
                          .panels = values.panels,
                          .depth = round_up(end - block.first, sum_step),
                          .panel_depth = values.depth,
                          .c = sums,
                          .c_stride = heads.width(),
                          .accumulate = accumulate});
}

float mask_scores(const Heads& heads, KeyRange visible, KeyBlock block, float* scores) {
  const auto [begin, end] = within(visible, block);
  if (begin >= end) return no_score;
  std::fill(scores + begin / sum_step * sum_step, scores + begin, no_score);
  std::fill(scores + end, scores + round_up(end, sum_step), no_score);
  return heads.kernels.maximum(scores + begin, end - begin);
}

float exponentials(const Heads& heads, KeyRange visible, KeyBlock block, int end, const float* scores, float greatest,
                   std::byte* powers) {
  const auto clear = [&](int from, int to) {
    if (from < to) std::memset(powers + heads.bytes(from), 0, static_cast<size_t>(heads.bytes(to - from)));
  };
  const int padded = round_up(end - block.first, sum_step);
  const KeyRange seen = within(visible, block);
  if (seen.begin >= seen.end) {
    clear(0, padded);
    return 0.0F;
  }
  const int start = seen.begin / sum_step * sum_step, stop = round_up(seen.end, sum_step);
  const float factor = exponent_factor(heads);
  const float sum =
      heads.kernels.exponentials(scores + start, stop - start, factor, greatest * factor, powers + heads.bytes(start));
  clear(0, start);
  clear(stop, padded);
  return sum;
}

float shrinkage(const Heads& heads, float before, float now) {
  return before == no_score ? 0.0F : std::exp2((before - now) * exponent_factor(heads));
}

void store_row(const Heads& heads, int64_t row, float* sums, float weight) {
  scale_row(sums, heads.width(), 1.0F / weight);
  store_product(sums, heads.width(), nullptr, Activation::none, false, heads.result(row));
}

}  // namespace poplens::cpu
