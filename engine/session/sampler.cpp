#include "engine/session/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poplens {
namespace {

// A broken model's NaN and infinities would spoil every comparison and sum.
double finite(double logit) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return std::isnan(logit) ? -kMost : std::clamp(logit, -kMost, kMost);
}

}  // namespace

Sampler::Sampler(const Sampling& sampling, int64_t vocab)
    : sampling_(sampling), vocab_(vocab), random_(sampling.seed) {}

int32_t Sampler::next(std::span<const float> logits, std::span<const int32_t> context) {
  candidates_.clear();
  const auto count = std::min<int64_t>(vocab_, static_cast<int64_t>(logits.size()));
  for (int64_t id = 0; id < count; ++id) {
    candidates_.push_back({static_cast<int32_t>(id), logits[static_cast<size_t>(id)]});
  }
  if (sampling_.repetition_penalty != 1.0) penalise(context);
  for (Candidate& candidate : candidates_) candidate.logit = finite(candidate.logit);
  const auto likelier = [](const Candidate& a, const Candidate& b) {
    return a.logit > b.logit || (a.logit == b.logit && a.id < b.id);
  };
  const Candidate best = *std::min_element(candidates_.begin(), candidates_.end(), likelier);
  if (sampling_.temperature <= 0.0) return best.id;

  // Only differences count; taken from the best, no temperature is too small to divide by.
  for (Candidate& candidate : candidates_) candidate.logit = (candidate.logit - best.logit) / sampling_.temperature;
  if (sampling_.top_k > 0 && static_cast<size_t>(sampling_.top_k) < candidates_.size()) {
    std::nth_element(candidates_.begin(), candidates_.begin() + sampling_.top_k - 1, candidates_.end(), likelier);
    const double least = candidates_[static_cast<size_t>(sampling_.top_k) - 1].logit;
    std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.logit < least; });
  }
  std::sort(candidates_.begin(), candidates_.end(), likelier);
  keep_likeliest();

  const double most = candidates_.front().logit;
  double total = 0.0;
  for (const Candidate& candidate : candidates_) total += std::exp(candidate.logit - most);
  const double draw = static_cast<double>(random_() >> 11) * 0x1p-53 * total;
  double passed = 0.0;
  for (const Candidate& candidate : candidates_) {
    passed += std::exp(candidate.logit - most);
    if (draw < passed) return candidate.id;
  }
  return candidates_.back().id;
}

void Sampler::penalise(std::span<const int32_t> context) {
  std::vector<bool> seen(candidates_.size(), false);
  for (const int32_t id : context) {
    const auto index = static_cast<size_t>(id);
    if (id < 0 || index >= seen.size() || seen[index]) continue;
    seen[index] = true;
    double& logit = candidates_[index].logit;
    logit = logit > 0.0 ? logit / sampling_.repetition_penalty : logit * sampling_.repetition_penalty;
  }
}

// top-p, then min-p, over candidates sorted from the likeliest down; at least one stays.
void Sampler::keep_likeliest() {
  const double most = candidates_.front().logit;
  if (sampling_.top_p < 1.0) {
    double total = 0.0;
    for (const Candidate& candidate : candidates_) total += std::exp(candidate.logit - most);
    double before = 0.0;
    size_t keep = 0;
    while (keep < candidates_.size() && (keep == 0 || before < sampling_.top_p * total)) {
      before += std::exp(candidates_[keep].logit - most);
      ++keep;
    }
    candidates_.resize(keep);
  }
  if (sampling_.min_p > 0.0) {
    const double least = most + std::log(sampling_.min_p);
    size_t keep = 1;
    while (keep < candidates_.size() && candidates_[keep].logit >= least) ++keep;
    candidates_.resize(keep);
  }
}

}  // namespace poplens
