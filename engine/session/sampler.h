// From logits to the next token.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace poplens {

struct Sampling {
  double temperature = 0.0;         // 0: greedy
  int top_k = 0;                    // 0: off
  double top_p = 1.0;               // 1: off
  double min_p = 0.0;               // 0: off
  double repetition_penalty = 1.0;  // 1: off; over prompt and answer
  uint64_t seed = 0;
};

// Applies, in transformers' order: repetition penalty, temperature, top-k, top-p, min-p; then draws with a generator of
// its own: the same seed gives the same tokens everywhere.
class Sampler {
 public:
  // `vocab`: ids from here on are rows that the tokenizer does not use; they are never chosen.
  Sampler(const Sampling& sampling, int64_t vocab);

  // logits [n], n >= vocab; `context` the tokens so far (prompt and answer).
  int32_t next(std::span<const float> logits, std::span<const int32_t> context);

 private:
  struct Candidate {
    int32_t id;
    double logit;
  };
  void penalise(std::span<const int32_t> context);
  void keep_likeliest();

  Sampling sampling_;
  int64_t vocab_;
  std::mt19937_64 random_;
  std::vector<Candidate> candidates_;
};

}  // namespace poplens
