// The loss of an answer: the negative log-likelihood of its tokens, in nats.
#pragma once

#include <cstdint>
#include <span>

namespace poplens {

// -log softmax(logits)[target], in double precision.
double negative_log_likelihood(std::span<const float> logits, int32_t target);
// The same, and the logits become its gradient, softmax(logits) - onehot(target).
double negative_log_likelihood_gradient(std::span<float> logits, int32_t target);

}  // namespace poplens
