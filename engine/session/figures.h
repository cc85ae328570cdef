// The few sums that reports are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace poplens {

// The middle value, or the mean of the two in the middle; 0 of none.
double median(std::vector<double> values);

// KL(p || q) in nats between the distributions that two rows of logits [vocab] stand for.
double kl_divergence(std::span<const float> logits_p, std::span<const float> logits_q);

// The first index at which the sequences differ, one ending before the other included; nothing if they are the same.
std::optional<size_t> first_divergence(std::span<const int32_t> a, std::span<const int32_t> b);

struct LikelyToken {
  int32_t id = 0;
  double logprob = 0.0;  // in nats
};
// The `count` likeliest tokens of logits [vocab], likeliest first.
std::vector<LikelyToken> likeliest_tokens(std::span<const float> logits, size_t count);

}  // namespace poplens
