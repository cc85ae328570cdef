#include "engine/session/figures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace poplens {
namespace {

// log(sum(exp(logits)))
double log_sum_exp(std::span<const float> logits) {
  const double most = *std::max_element(logits.begin(), logits.end());
  double sum = 0.0;
  for (const float logit : logits) sum += std::exp(logit - most);
  return most + std::log(sum);
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
}

double kl_divergence(std::span<const float> logits_p, std::span<const float> logits_q) {
  if (logits_p.empty() || logits_p.size() != logits_q.size()) return 0.0;
  const double norm_p = log_sum_exp(logits_p);
  const double norm_q = log_sum_exp(logits_q);
  double divergence = 0.0;
  for (size_t i = 0; i < logits_p.size(); ++i) {
    const double log_p = logits_p[i] - norm_p;
    const double log_q = logits_q[i] - norm_q;
    divergence += std::exp(log_p) * (log_p - log_q);
  }
  return std::max(divergence, 0.0);
}

std::optional<size_t> first_divergence(std::span<const int32_t> a, std::span<const int32_t> b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (in_a == a.end() && in_b == b.end()) return std::nullopt;
  return static_cast<size_t>(in_a - a.begin());
}

std::vector<LikelyToken> likeliest_tokens(std::span<const float> logits, size_t count) {
  if (logits.empty()) return {};
  std::vector<int32_t> ids(logits.size());
  std::iota(ids.begin(), ids.end(), 0);
  count = std::min(count, ids.size());
  const auto likelier = [&](int32_t a, int32_t b) {
    const float logit_a = logits[static_cast<size_t>(a)];
    const float logit_b = logits[static_cast<size_t>(b)];
    return logit_a > logit_b || (logit_a == logit_b && a < b);
  };
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(), likelier);
  const double norm = log_sum_exp(logits);
  std::vector<LikelyToken> tokens;
  for (size_t i = 0; i < count; ++i) tokens.push_back({ids[i], logits[static_cast<size_t>(ids[i])] - norm});
  return tokens;
}

}  // namespace poplens
