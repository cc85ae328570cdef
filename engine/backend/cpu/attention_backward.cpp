#include "engine/backend/cpu/attention_backward.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "engine/backend/cpu/attention_block.h"
#include "engine/backend/cpu/backward_rows.h"
#include "engine/backend/cpu/epilogue.h"
#include "engine/backend/cpu/pack.h"

namespace poplens::cpu {
namespace {

constexpr int rows_at_once = 64;      // queries of one kv head's heads, on their way to q_grad
constexpr int queries_at_once = 128;  // of one head, on their way to k_grad and v_grad
constexpr int depth_padding = 32;

int round_up(int a, int step) {
  return (a + step - 1) / step * step;
}

// A thread's scratch memory, handed out piece by piece.
class Scratch {
 public:
  explicit Scratch(std::byte* memory) : next_(memory) {}
  float* floats(int64_t count) {
    auto* piece = reinterpret_cast<float*>(next_);
    next_ += (count * 4 + 63) / 64 * 64;
    return piece;
  }
  std::byte* bytes(int64_t floats_of) { return reinterpret_cast<std::byte*>(floats(floats_of)); }

 private:
  std::byte* next_;
};

// What the softmax of every query leaves behind: the logarithm of its sum of exponentials, and grad · result. Both
// [heads, stride].
struct RowSums {
  int64_t stride;
  std::vector<float> log_sums;
  std::vector<float> dots;

  RowSums(int heads, int64_t queries)
      : stride(queries + queries_at_once + depth_padding),
        log_sums(static_cast<size_t>(heads * stride)),
        dots(log_sums.size()) {}

  size_t at(int64_t head, int64_t query) const { return static_cast<size_t>(head * stride + query); }
};

// Queries against keys, and their gradients against values: the two products that every step begins with.
struct Sides {
  Heads scores;
  Heads grads;

  Sides(const AttentionBackward& call, const Kernels& kernels, int kv_head)
      : scores{call.shape, call.q, call.k, call.v, call.ranges, call.q_grad, kernels, kv_head},
        grads{call.shape, call.grad, call.v, call.k, call.ranges, call.q_grad, kernels, kv_head} {}

  int head_of(int64_t row) const { return scores.kv_head * scores.group() + static_cast<int>(row % scores.group()); }
};

// The row's greatest score and its sum of exponentials, block after block.
struct RunningSum {
  float greatest = no_score;
  float weight = 0.0F;

  void add(const Heads& heads, KeyRange visible, KeyBlock block, float* scores) {
    const float now = std::max(greatest, mask_scores(heads, visible, block, scores));
    const float sum = exponentials(heads, visible, block, block.end, scores, now, reinterpret_cast<std::byte*>(scores));
    if (now > greatest) weight *= shrinkage(heads, greatest, now);
    greatest = now;
    weight += sum;
  }
};

// Rows [base, base + rows) of one kv head: their softmax sums, then q_grad.
class QueryPiece {
 public:
  QueryPiece(const AttentionBackward& call, const Sides& sides, int64_t base, int rows, std::byte* memory)
      : call_(call), sides_(sides), heads_(sides.scores), base_(base), rows_(rows) {
    Scratch scratch(memory);
    const int64_t padded = rows_at_once + heads_.kernels.row_step;
    q_ = scratch.bytes(padded * heads_.depth());
    grad_ = scratch.bytes(padded * heads_.depth());
    keys_ = scratch.bytes(packed_keys_size(heads_));
    values_ = scratch.bytes(packed_keys_size(heads_));
    key_rows_ = scratch.bytes(packed_values_size(heads_));
    scores_ = scratch.floats(padded * heads_.block());
    grads_ = scratch.floats(padded * heads_.block());
    log_sums_ = scratch.floats(heads_.block());
    dots_ = scratch.floats(heads_.block());
    sums_ = scratch.floats(padded * heads_.width());
  }

  void run(RowSums& row_sums) {
    pack_queries(sides_.scores, base_, rows_, q_);
    pack_queries(sides_.grads, base_, rows_, grad_);
    sum_exponentials(row_sums);
    std::fill_n(sums_, int64_t{rows_} * heads_.width(), 0.0F);
    each_block([&](KeyBlock block) { add_block(block, row_sums); });
    for (int i = 0; i < rows_; ++i) {
      store_product(sums_ + int64_t{i} * heads_.width(), heads_.width(), nullptr, Activation::none, false,
                    heads_.result(base_ + i));
    }
  }

 private:
  template <typename Step>
  void each_block(const Step& step) const {
    const KeyRange visible{heads_.range(base_).begin, heads_.range(base_ + rows_ - 1).end};
    const int size = heads_.block();
    for (int at = visible.begin / size * size; at < visible.end; at += size) {
      step(KeyBlock(at, size, visible));
    }
  }

  void sum_exponentials(RowSums& row_sums) {
    RunningSum running[rows_at_once];
    each_block([&](KeyBlock block) {
      pack_keys(heads_, block, keys_);
      score(heads_, q_, rows_, keys_, block, block.end, scores_);
      for (int i = 0; i < rows_; ++i) {
        running[i].add(heads_, heads_.range(base_ + i), block, scores_ + int64_t{i} * heads_.block());
      }
    });
    for (int i = 0; i < rows_; ++i) {
      const int64_t row = base_ + i, query = row / heads_.group();
      const size_t at = row_sums.at(sides_.head_of(row), query);
      const int64_t col = int64_t{sides_.head_of(row)} * heads_.shape.head_dim;
      row_sums.log_sums[at] = heads_.shape.scale * running[i].greatest + std::log(running[i].weight);
      row_sums.dots[at] = dot_row(static_cast<const float*>(call_.grad.data) + query * call_.grad.stride + col,
                                  static_cast<const float*>(call_.result.data) + query * call_.result.stride + col,
                                  heads_.shape.head_dim);
    }
  }

  // sums += scale * s · k of a block, s = p * (grad · v^T - dot).
  void add_block(KeyBlock block, const RowSums& row_sums) {
    pack_keys(sides_.scores, block, keys_);
    pack_keys(sides_.grads, block, values_);
    pack_values(heads_.keys(block.first, block.count()), heads_.kernels, block.padded(), key_rows_);
    score(sides_.scores, q_, rows_, keys_, block, block.end, scores_);
    score(sides_.grads, grad_, rows_, values_, block, block.end, grads_);
    const int padded = block.padded();
    for (int i = 0; i < rows_; ++i) {
      const KeyRange visible = heads_.range(base_ + i);
      const size_t at = row_sums.at(sides_.head_of(base_ + i), (base_ + i) / heads_.group());
      std::fill_n(log_sums_, padded, row_sums.log_sums[at]);
      std::fill_n(dots_, padded, row_sums.dots[at]);
      softmax_backward_row(padded, visible.begin - block.first, visible.end - block.first, heads_.shape.scale,
                           log_sums_, dots_, scores_ + int64_t{i} * heads_.block(),
                           grads_ + int64_t{i} * heads_.block());
    }
    const PackedValues keys{key_rows_, padded, heads_.width() / heads_.kernels.panel_columns};
    sum_values(heads_, reinterpret_cast<std::byte*>(grads_), rows_, keys, block, block.end, sums_, true);
  }

  const AttentionBackward& call_;
  const Sides& sides_;
  const Heads& heads_;
  int64_t base_;
  int rows_;
  std::byte *q_, *grad_, *keys_, *values_, *key_rows_;
  float *scores_, *grads_, *log_sums_, *dots_, *sums_;
};

// Keys [first, first + count) of one kv head: k_grad and v_grad, everything of QueryPiece turned on its side.
class KeyPiece {
 public:
  KeyPiece(const AttentionBackward& call, const Sides& sides, int first, int count, std::byte* memory)
      : call_(call), heads_(sides.scores), kernels_(sides.scores.kernels), first_(first), count_(count) {
    Scratch scratch(memory);
    const int64_t rows = heads_.block() + kernels_.row_step;
    const int64_t columns = round_up(queries_at_once, std::max(kernels_.panel_columns, depth_padding));
    keys_ = scratch.bytes(rows * heads_.depth());
    values_ = scratch.bytes(rows * heads_.depth());
    scores_ = scratch.floats(rows * columns);
    grads_ = scratch.floats(rows * columns);
    columns_ = scratch.bytes(columns * std::max(heads_.depth(), heads_.width()));
    k_sums_ = scratch.floats(rows * heads_.width());
    v_sums_ = scratch.floats(rows * heads_.width());
    stride_ = static_cast<int>(columns);
  }

  void run(const RowSums& row_sums) {
    pack_rows(heads_.keys(first_, count_), kernels_.type, heads_.depth(), keys_, heads_.depth());
    pack_rows(heads_.values(first_, count_), kernels_.type, heads_.depth(), values_, heads_.depth());
    std::fill_n(k_sums_, int64_t{count_} * heads_.width(), 0.0F);
    std::fill_n(v_sums_, int64_t{count_} * heads_.width(), 0.0F);
    const int64_t from = seeing(first_).first, to = seeing(first_ + count_ - 1).second;
    for (int g = 0; g < heads_.group(); ++g) {
      const int head = heads_.kv_head * heads_.group() + g;
      for (int64_t query = from; query < to; query += queries_at_once) {
        add_queries(head, query, static_cast<int>(std::min<int64_t>(queries_at_once, to - query)), row_sums);
      }
    }
    store(k_sums_, call_.k_grad);
    store(v_sums_, call_.v_grad);
  }

 private:
  // The queries [first, second) that see a key: begins and ends of the ranges never decrease.
  std::pair<int64_t, int64_t> seeing(int key) const {
    const auto ranges = call_.ranges;
    const auto from = std::partition_point(ranges.begin(), ranges.end(), [&](KeyRange r) { return r.end <= key; });
    const auto to = std::partition_point(ranges.begin(), ranges.end(), [&](KeyRange r) { return r.begin <= key; });
    return {from - ranges.begin(), to - ranges.begin()};
  }

  static ConstMatrix of_head(const AttentionBackward& call, ConstMatrix m, int head, int64_t query, int queries) {
    return m.row_range(query, queries).col_range(int64_t{head} * call.shape.head_dim, call.shape.head_dim);
  }

  void multiply(const std::byte* a, int64_t a_stride, int panels, int depth, float* c, int64_t c_stride,
                bool accumulate) const {
    kernels_.multiply({.a = a,
                       .a_stride = a_stride,
                       .rows = count_,
                       .b = columns_,
                       .panels = panels,
                       .depth = depth,
                       .panel_depth = depth,
                       .c = c,
                       .c_stride = c_stride,
                       .accumulate = accumulate});
  }

  void score_queries(ConstMatrix queries, const std::byte* rows, float* out) const {
    pack_columns(queries, nullptr, kernels_, heads_.depth(), columns_);
    const int panels = round_up(static_cast<int>(queries.rows), kernels_.panel_columns) / kernels_.panel_columns;
    multiply(rows, heads_.depth(), panels, heads_.depth(), out, stride_, false);
  }

  void add_products(const float* weights, ConstMatrix queries, int padded, float* sums) const {
    pack_values(queries, kernels_, padded, columns_);
    multiply(reinterpret_cast<const std::byte*>(weights), stride_, heads_.width() / kernels_.panel_columns, padded,
             sums, heads_.width(), true);
  }

  void add_queries(int head, int64_t query, int queries, const RowSums& row_sums) {
    const ConstMatrix q = of_head(call_, call_.q, head, query, queries);
    const ConstMatrix grad = of_head(call_, call_.grad, head, query, queries);
    score_queries(q, keys_, scores_);
    score_queries(grad, values_, grads_);
    const int padded = round_up(queries, depth_padding);
    const size_t at = row_sums.at(head, query);
    for (int i = 0; i < count_; ++i) {
      const auto [from, to] = seeing(first_ + i);
      softmax_backward_row(padded, static_cast<int>(std::clamp<int64_t>(from - query, 0, queries)),
                           static_cast<int>(std::clamp<int64_t>(to - query, 0, queries)), call_.shape.scale,
                           row_sums.log_sums.data() + at, row_sums.dots.data() + at, scores_ + int64_t{i} * stride_,
                           grads_ + int64_t{i} * stride_);
    }
    add_products(scores_, grad, padded, v_sums_);
    add_products(grads_, q, padded, k_sums_);
  }

  void store(const float* sums, Matrix out) const {
    const Matrix rows =
        out.row_range(first_, count_).col_range(int64_t{heads_.kv_head} * call_.shape.head_dim, call_.shape.head_dim);
    store_product(sums, heads_.width(), nullptr, Activation::none, false, rows);
  }

  const AttentionBackward& call_;
  const Heads& heads_;
  const Kernels& kernels_;
  int first_;
  int count_;
  int stride_ = 0;
  std::byte *keys_, *values_, *columns_;
  float *scores_, *grads_, *k_sums_, *v_sums_;
};

}  // namespace

void attention_backward(const AttentionBackward& call, const Kernels& kernels, const Workspace& workspace,
                        ThreadPool& pool) {
  const AttentionShape& shape = call.shape;
  RowSums row_sums(shape.heads, call.q.rows);
  const int64_t rows = call.q.rows * (shape.heads / shape.kv_heads);
  const int64_t pieces = (rows + rows_at_once - 1) / rows_at_once;
  pool.parallel_for(pieces * shape.kv_heads, 1, [&](int64_t begin, int64_t end, int thread) {
    for (int64_t item = begin; item < end; ++item) {
      const Sides sides(call, kernels, static_cast<int>(item % shape.kv_heads));
      const int64_t base = item / shape.kv_heads * rows_at_once;
      const auto count = static_cast<int>(std::min<int64_t>(rows_at_once, rows - base));
      QueryPiece(call, sides, base, count, workspace.of_thread(thread)).run(row_sums);
    }
  });

  const int block = Sides(call, kernels, 0).scores.block();
  const int64_t blocks = (call.k.rows + block - 1) / block;
  pool.parallel_for(blocks * shape.kv_heads, 1, [&](int64_t begin, int64_t end, int thread) {
    for (int64_t item = begin; item < end; ++item) {
      const Sides sides(call, kernels, static_cast<int>(item % shape.kv_heads));
      const int64_t first = item / shape.kv_heads * block;
      const auto count = static_cast<int>(std::min<int64_t>(block, call.k.rows - first));
      KeyPiece(call, sides, static_cast<int>(first), count, workspace.of_thread(thread)).run(row_sums);
    }
  });
}

}  // namespace poplens::cpu
