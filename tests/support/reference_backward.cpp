#include "tests/support/reference_backward.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace poplens::test {

namespace {

constexpr double kF32 = 0x1p-24;

double sum_rounding(int64_t n) {
  return (4 + std::sqrt(static_cast<double>(n))) * kF32;
}

// One row of one head: p and s = p * (grad · v - sum(grad * result)), with what f32 may make of them.
struct ScoreRow {
  std::vector<double> p, s;
  std::vector<double> p_bound, s_bound;
};

ScoreRow score_row(const AttentionShape& shape, const double* q, const Values& k, const Values& v, int64_t kv_col,
                   KeyRange range, const double* grad, double* result) {
  const int64_t head_dim = shape.head_dim, keys = range.end - range.begin;
  ScoreRow row;
  std::vector<double> grad_v, grad_v_size;
  double score_bound = 0;
  for (int64_t key = range.begin; key < range.end; ++key) {
    double score = 0, size = 0, product = 0, product_size = 0;
    for (int64_t d = 0; d < head_dim; ++d) {
      score += q[d] * k.at(key, kv_col + d);
      size += std::fabs(q[d] * k.at(key, kv_col + d));
      product += grad[d] * v.at(key, kv_col + d);
      product_size += std::fabs(grad[d] * v.at(key, kv_col + d));
    }
    row.p.push_back(shape.scale * score);
    score_bound = std::max(score_bound, std::fabs(shape.scale) * size * (sum_rounding(head_dim) + 3 * kF32));
    grad_v.push_back(product);
    grad_v_size.push_back(product_size);
  }
  const double greatest = *std::max_element(row.p.begin(), row.p.end());
  double total = 0;
  for (double& p : row.p) total += p = std::exp(p - greatest);
  for (double& p : row.p) p /= total;
  // The logarithm of the sum is a number of the size of the greatest score, rounded once more.
  const double rounding = 2 * score_bound + (8 + std::fabs(greatest) + std::log(total)) * kF32 + sum_rounding(keys);

  double dot = 0, dot_size = 0;
  for (int64_t d = 0; d < head_dim; ++d) {
    result[d] = 0;
    double size = 0;
    for (int64_t key = 0; key < keys; ++key) {
      result[d] += row.p[static_cast<size_t>(key)] * v.at(range.begin + key, kv_col + d);
      size += row.p[static_cast<size_t>(key)] * std::fabs(v.at(range.begin + key, kv_col + d));
    }
    dot += grad[d] * result[d];
    dot_size += std::fabs(grad[d]) * size;
  }
  for (size_t key = 0; key < row.p.size(); ++key) {
    const double rest_size = grad_v_size[key] + dot_size;
    row.p_bound.push_back(row.p[key] * rounding);
    row.s.push_back(row.p[key] * (grad_v[key] - dot));
    row.s_bound.push_back(row.p[key] * (std::fabs(grad_v[key] - dot) * rounding +
                                        rest_size * (sum_rounding(head_dim) + rounding + 4 * kF32)));
  }
  return row;
}

}  // namespace

double activation_slope(double x, Activation activation) {
  if (activation == Activation::silu) {
    const double sigmoid = 1 / (1 + std::exp(-x));
    return sigmoid * (1 + x * (1 - sigmoid));
  }
  const double c = std::sqrt(2 / std::numbers::pi);
  const double t = std::tanh(c * (x + 0.044715 * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * c * (1 + 3 * 0.044715 * x * x);
}

GatedGradients gated_product_backward(const Values& grad, const Values& gate, const Values& up, Activation activation) {
  const Values zero(grad.rows, grad.cols);
  GatedGradients out{{zero, zero}, {zero, zero}};
  for (size_t i = 0; i < grad.data.size(); ++i) {
    const double x = gate.data[i];
    const double slope = activation_slope(x, activation);
    out.gate.value.data[i] = grad.data[i] * up.data[i] * slope;
    // Where the slope's two terms cancel, what is left of their roundings.
    out.gate.bound.data[i] = std::fabs(grad.data[i] * up.data[i]) * 24 * kF32 *
                             (std::fabs(slope) + std::min(1.0, std::exp(-std::fabs(x) / 2)));
    out.up.value.data[i] = grad.data[i] * activated(x, activation);
    out.up.bound.data[i] =
        std::fabs(grad.data[i]) * (activation_bound(x, 0, activation) + 2 * kF32 * std::fabs(activated(x, activation)));
  }
  return out;
}

Reference rms_norm_backward(const Values& x, const Values* weight, double eps, const Values& grad) {
  const auto n = static_cast<double>(x.cols);
  Reference out{Values(x.rows, x.cols), Values(x.rows, x.cols)};
  for (int64_t i = 0; i < x.rows; ++i) {
    double squares = 0, along = 0, along_size = 0;
    for (int64_t j = 0; j < x.cols; ++j) {
      const double u = grad.at(i, j) * (weight != nullptr ? weight->at(0, j) : 1.0);
      squares += x.at(i, j) * x.at(i, j);
      along += u * x.at(i, j);
      along_size += std::fabs(u * x.at(i, j));
    }
    const double scale = 1 / std::sqrt(squares / n + eps);
    const double cubed = scale * scale * scale / n;
    const double scale_rounding = sum_rounding(x.cols) / 2 + 4 * kF32;
    for (int64_t j = 0; j < x.cols; ++j) {
      const double straight = scale * grad.at(i, j) * (weight != nullptr ? weight->at(0, j) : 1.0);
      const double back = x.at(i, j) * cubed;
      out.value.at(i, j) = straight - back * along;
      out.bound.at(i, j) =
          std::fabs(straight) * (scale_rounding + 3 * kF32) +
          std::fabs(back) * (std::fabs(along) * (3 * scale_rounding + 6 * kF32) + along_size * sum_rounding(x.cols));
    }
  }
  return out;
}

Reference norm_rotate_heads_backward(const Values& x, int head_dim, const Values* norm_weight, double eps,
                                     const Values* cos, const Values* sin, const Values& grad) {
  Reference out{grad, Values(x.rows, x.cols)};
  const int64_t half = head_dim / 2;
  for (int64_t first = 0; first < x.cols; first += head_dim) {
    Values turned = grad.col_range(first, head_dim);
    Values turned_bound(x.rows, head_dim);
    for (int64_t i = 0; i < x.rows && cos != nullptr; ++i) {
      for (int64_t j = 0; j < half; ++j) {
        const double a = turned.at(i, j), b = turned.at(i, j + half), c = cos->at(i, j), s = sin->at(i, j);
        turned.at(i, j) = a * c + b * s;
        turned.at(i, j + half) = b * c - a * s;
        turned_bound.at(i, j) = turned_bound.at(i, j + half) =
            2 * kF32 * (std::fabs(a) + std::fabs(b)) * (std::fabs(c) + std::fabs(s));
      }
    }
    Reference back{turned, turned_bound};
    if (norm_weight != nullptr) {
      const Values head = x.col_range(first, head_dim);
      back = rms_norm_backward(head, norm_weight, eps, turned);
      // The norm's way back is linear in grad: so is what the rotation's rounding becomes.
      for (int64_t i = 0; i < x.rows; ++i) {
        double squares = 0, along = 0;
        for (int64_t j = 0; j < head_dim; ++j) {
          squares += head.at(i, j) * head.at(i, j);
          along += turned_bound.at(i, j) * std::fabs(norm_weight->at(0, j) * head.at(i, j));
        }
        const double scale = 1 / std::sqrt(squares / head_dim + eps);
        for (int64_t j = 0; j < head_dim; ++j) {
          back.bound.at(i, j) += scale * turned_bound.at(i, j) * std::fabs(norm_weight->at(0, j)) +
                                 std::fabs(head.at(i, j)) * scale * scale * scale * along / head_dim;
        }
      }
    }
    for (int64_t i = 0; i < x.rows; ++i) {
      for (int64_t j = 0; j < head_dim; ++j) {
        out.value.at(i, first + j) = back.value.at(i, j);
        out.bound.at(i, first + j) = back.bound.at(i, j);
      }
    }
  }
  return out;
}

AttentionGradients attention_backward(const AttentionShape& shape, const Values& q, const Values& k, const Values& v,
                                      std::span<const KeyRange> ranges, const Values& grad) {
  const Values like_q(q.rows, q.cols), like_k(k.rows, k.cols);
  AttentionGradients out{like_q, {like_q, like_q}, {like_k, like_k}, {like_k, like_k}};
  const int group = shape.heads / shape.kv_heads;
  const double summing = sum_rounding(q.rows * group);
  for (int64_t i = 0; i < q.rows; ++i) {
    const KeyRange range = ranges[static_cast<size_t>(i)];
    for (int head = 0; head < shape.heads; ++head) {
      const int64_t col = int64_t{head} * shape.head_dim, kv_col = int64_t{head / group} * shape.head_dim;
      const ScoreRow row =
          score_row(shape, q.row(i) + col, k, v, kv_col, range, grad.row(i) + col, &out.result.at(i, col));
      for (int64_t key = range.begin; key < range.end; ++key) {
        const auto at = static_cast<size_t>(key - range.begin);
        const double s = shape.scale * row.s[at], s_bound = std::fabs(shape.scale) * row.s_bound[at];
        for (int64_t d = 0; d < shape.head_dim; ++d) {
          const double in_q = k.at(key, kv_col + d), in_k = q.at(i, col + d), in_v = grad.at(i, col + d);
          out.q.value.at(i, col + d) += s * in_q;
          out.q.bound.at(i, col + d) +=
              std::fabs(in_q) * (s_bound + std::fabs(s) * sum_rounding(range.end - range.begin));
          out.k.value.at(key, kv_col + d) += s * in_k;
          out.k.bound.at(key, kv_col + d) += std::fabs(in_k) * (s_bound + std::fabs(s) * summing);
          out.v.value.at(key, kv_col + d) += row.p[at] * in_v;
          out.v.bound.at(key, kv_col + d) += std::fabs(in_v) * (row.p_bound[at] + row.p[at] * summing);
        }
      }
    }
  }
  return out;
}

}  // namespace poplens::test
