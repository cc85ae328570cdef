#include "engine/pop/importance/answer_loss.h"

#include <algorithm>
#include <cmath>

namespace poplens {
namespace {

struct LogSum {
  double greatest;
  double others =
      0.0;  // sum of exp(logit - greatest) but for the greatest's own 1: a sure answer's loss is not lost in it

  explicit LogSum(std::span<const float> logits) {
    const auto at = std::max_element(logits.begin(), logits.end());
    greatest = *at;
    for (auto it = logits.begin(); it != logits.end(); ++it) {
      if (it != at) others += std::exp(*it - greatest);
    }
  }
  double of(float logit) const { return greatest - logit + std::log1p(others); }
};

}  // namespace

double negative_log_likelihood(std::span<const float> logits, int32_t target) {
  return LogSum(logits).of(logits[static_cast<size_t>(target)]);
}

double negative_log_likelihood_gradient(std::span<float> logits, int32_t target) {
  const LogSum log_sum(logits);
  const double loss = log_sum.of(logits[static_cast<size_t>(target)]);
  // The target's softmax less 1, with its relative accuracy: a sure answer has small gradients, not rounded ones.
  const double target_gradient = std::expm1(-loss);
  for (float& logit : logits) logit = static_cast<float>(std::exp(logit - log_sum.greatest) / (1.0 + log_sum.others));
  logits[static_cast<size_t>(target)] = static_cast<float>(target_gradient);
  return loss;
}

}  // namespace poplens
