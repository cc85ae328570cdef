#include "tests/support/reference_ops.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace poplens::test {

namespace {

constexpr double kF32 = 0x1p-24;

double sum_rounding(int64_t n) {
  return (4 + std::sqrt(static_cast<double>(n))) * kF32;
}

}  // namespace

Reference stored(Reference result, DType dtype, const Values* old) {
  for (size_t i = 0; i < result.value.data.size(); ++i) {
    double& value = result.value.data[i];
    double& bound = result.bound.data[i];
    if (old != nullptr) {
      value += old->data[i];
      bound += kF32 * std::fabs(value);
    }
    bound += rounding_of(dtype) * (std::fabs(value) + bound) * 1.01 + 1e-37;
  }
  return result;
}

double activated(double x, Activation activation) {
  switch (activation) {
    case Activation::silu:
      return x / (1 + std::exp(-x));
    case Activation::gelu_tanh:
      return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    case Activation::gelu_erf:
      return 0.5 * x * std::erfc(-x / std::numbers::sqrt2);
    case Activation::none:
      break;
  }
  return x;
}

double activation_bound(double x, double x_bound, Activation activation) {
  if (activation == Activation::none) return x_bound;
  // No slope is above 1.13. Of its own an activation may add a few units in the last place, and where it goes to zero
  // what is left of a cancelled 1 - 1.
  constexpr double kSteepest = 1.13;
  return kSteepest * x_bound + 6 * kF32 * std::fabs(activated(x, activation)) + 2 * kF32 * std::min(1.0, std::fabs(x));
}

Reference linear(const Values& x, DType x_type, const Values& weight, DType weight_type, const LinearOptions& options) {
  const int64_t k = x.cols;
  const bool scaled = options.column_scale != nullptr;
  const bool weight_rounded = x_type == DType::bf16 && (weight_type != DType::bf16 || scaled);
  const double product_rounding =
      sum_rounding(k) + (scaled ? kF32 : 0) + (weight_rounded ? rounding_of(DType::bf16) * 1.01 : 0);

  Reference out{Values(x.rows, weight.rows), Values(x.rows, weight.rows)};
  for (int64_t i = 0; i < x.rows; ++i) {
    for (int64_t j = 0; j < weight.rows; ++j) {
      double sum = 0;
      double size = 0;
      for (int64_t l = 0; l < k; ++l) {
        const double term = x.at(i, l) * weight.at(j, l) * (scaled ? options.column_scale->at(0, l) : 1.0);
        sum += term;
        size += std::fabs(term);
      }
      double bound = product_rounding * size;
      if (options.bias != nullptr) {
        sum += options.bias->at(0, j);
        bound += kF32 * std::fabs(sum);
      }
      out.value.at(i, j) = activated(sum, options.activation);
      out.bound.at(i, j) = activation_bound(sum, bound, options.activation);
    }
  }
  return out;
}

Reference gated_linear(const Values& x, DType x_type, const Values& gate, const Values& up, DType weight_type,
                       Activation activation) {
  Reference out = linear(x, x_type, gate, weight_type, {.activation = activation});
  const Reference factor = linear(x, x_type, up, weight_type, {});
  for (size_t i = 0; i < out.value.data.size(); ++i) {
    double& value = out.value.data[i];
    double& bound = out.bound.data[i];
    const double factor_bound = factor.bound.data[i];
    bound = bound * (std::fabs(factor.value.data[i]) + factor_bound) + std::fabs(value) * factor_bound;
    value *= factor.value.data[i];
    bound += kF32 * std::fabs(value);
  }
  return out;
}

Reference rms_norm(const Values& x, const Values* weight, double eps) {
  const auto n = static_cast<double>(x.cols);
  Reference out{Values(x.rows, x.cols), Values(x.rows, x.cols)};
  for (int64_t i = 0; i < x.rows; ++i) {
    double squares = 0;
    for (int64_t j = 0; j < x.cols; ++j) squares += x.at(i, j) * x.at(i, j);
    const double scale = 1 / std::sqrt(squares / n + eps);
    for (int64_t j = 0; j < x.cols; ++j) {
      const double value = x.at(i, j) * scale * (weight != nullptr ? weight->at(0, j) : 1.0);
      out.value.at(i, j) = value;
      // Half of the sum's relative error comes through the root; five more roundings: mean, eps, root, quotient,
      // products.
      out.bound.at(i, j) = std::fabs(value) * (sum_rounding(x.cols) / 2 + 5 * kF32);
    }
  }
  return out;
}

Reference layer_norm(const Values& x, const Values* weight, const Values* bias, double eps) {
  const auto n = static_cast<double>(x.cols);
  Reference out{Values(x.rows, x.cols), Values(x.rows, x.cols)};
  for (int64_t i = 0; i < x.rows; ++i) {
    double sum = 0;
    double size = 0;
    for (int64_t j = 0; j < x.cols; ++j) {
      sum += x.at(i, j);
      size += std::fabs(x.at(i, j));
    }
    const double mean = sum / n;
    const double mean_bound = sum_rounding(x.cols) * size / n + kF32 * std::fabs(mean);
    double squares = 0;
    for (int64_t j = 0; j < x.cols; ++j) squares += (x.at(i, j) - mean) * (x.at(i, j) - mean);
    const double scale = 1 / std::sqrt(squares / n + eps);
    for (int64_t j = 0; j < x.cols; ++j) {
      const double factor = scale * (weight != nullptr ? weight->at(0, j) : 1.0);
      const double centred = x.at(i, j) - mean;
      out.value.at(i, j) = centred * factor + (bias != nullptr ? bias->at(0, j) : 0.0);
      out.bound.at(i, j) = std::fabs(factor) * mean_bound + kF32 * std::fabs(out.value.at(i, j)) +
                           std::fabs(centred * factor) * (sum_rounding(x.cols) / 2 + 6 * kF32);
    }
  }
  return out;
}

Reference norm_rotate_heads(const Values& x, int head_dim, const Values* norm_weight, double eps, const Values* cos,
                            const Values* sin) {
  Reference out{x, Values(x.rows, x.cols)};
  const int64_t half = head_dim / 2;
  for (int64_t first = 0; first < x.cols; first += head_dim) {
    const Values head = x.col_range(first, head_dim);
    const Reference normed =
        norm_weight != nullptr ? rms_norm(head, norm_weight, eps) : Reference{head, Values(x.rows, head_dim)};
    for (int64_t i = 0; i < x.rows; ++i) {
      for (int64_t j = 0; j < half; ++j) {
        const double a = normed.value.at(i, j);
        const double b = normed.value.at(i, j + half);
        const double c = cos != nullptr ? cos->at(i, j) : 1.0;
        const double s = sin != nullptr ? sin->at(i, j) : 0.0;
        out.value.at(i, first + j) = a * c - b * s;
        out.value.at(i, first + j + half) = b * c + a * s;
        const double rounding = 2 * kF32 * (cos != nullptr ? 1 : 0);
        const double a_bound = normed.bound.at(i, j) + rounding * std::fabs(a);
        const double b_bound = normed.bound.at(i, j + half) + rounding * std::fabs(b);
        out.bound.at(i, first + j) = a_bound * std::fabs(c) + b_bound * std::fabs(s);
        out.bound.at(i, first + j + half) = b_bound * std::fabs(c) + a_bound * std::fabs(s);
      }
    }
  }
  return out;
}

Reference attention(const AttentionShape& shape, const Values& q, const Values& k, const Values& v, DType type,
                    std::span<const KeyRange> ranges) {
  const int64_t head_dim = shape.head_dim;
  const int group = shape.heads / shape.kv_heads;
  Reference out{Values(q.rows, q.cols), Values(q.rows, q.cols)};
  for (int64_t i = 0; i < q.rows; ++i) {
    const KeyRange range = ranges[static_cast<size_t>(i)];
    const int64_t keys = range.end - range.begin;
    for (int head = 0; head < shape.heads; ++head) {
      const double* query = q.row(i) + head * head_dim;
      const int64_t kv_col = (head / group) * head_dim;
      std::vector<double> scores;
      double greatest_size = 0;  // of the products' sizes that a score sums up
      for (int64_t key = range.begin; key < range.end; ++key) {
        double sum = 0;
        double size = 0;
        for (int64_t d = 0; d < head_dim; ++d) {
          const double term = query[d] * k.at(key, kv_col + d);
          sum += term;
          size += std::fabs(term);
        }
        scores.push_back(shape.scale * sum);
        greatest_size = std::max(greatest_size, std::fabs(shape.scale) * size);
      }
      const double greatest = *std::max_element(scores.begin(), scores.end());
      double total = 0;
      for (double& score : scores) total += score = std::exp(score - greatest);
      // An error of e in two scores changes a quotient of their exponentials by 2e. The products of the second sum have
      // errors of their own: exponential, rescaling for a new maximum, quotient, and the softmax as bf16.
      const double softmax_rounding = 2 * greatest_size * (sum_rounding(head_dim) + 2 * kF32) + 8 * kF32 +
                                      (type == DType::bf16 ? rounding_of(DType::bf16) * 1.01 : 0);
      for (int64_t d = 0; d < head_dim; ++d) {
        double sum = 0;
        double size = 0;
        for (int64_t key = 0; key < keys; ++key) {
          const double term = scores[static_cast<size_t>(key)] / total * v.at(range.begin + key, kv_col + d);
          sum += term;
          size += std::fabs(term);
        }
        out.value.at(i, head * head_dim + d) = sum;
        out.bound.at(i, head * head_dim + d) = size * (softmax_rounding + 2 * sum_rounding(keys));
      }
    }
  }
  return out;
}

}  // namespace poplens::test
