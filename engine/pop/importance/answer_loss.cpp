#include "engine/pop/importance/answer_loss.h"

#include <algorithm>
#include <cmath>

namespace poplens {
namespace {

struct LogSum {
  double greatest;
  double sum;  // of exp(logit - greatest)

  explicit LogSum(std::span<const float> logits) : greatest(*std::max_element(logits.begin(), logits.end())), sum(0.0) {
    for (const float logit : logits) sum += std::exp(logit - greatest);
  }
  double of(float logit) const { return greatest + std::log(sum) - logit; }
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
  for (float& logit : logits) logit = static_cast<float>(std::exp(logit - log_sum.greatest) / log_sum.sum);
  logits[static_cast<size_t>(target)] = static_cast<float>(target_gradient);
  return loss;
}

}  // namespace poplens
