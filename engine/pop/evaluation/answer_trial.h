// One question answered by one method: how well the known answer is expected, what is answered freely, how long it
// took.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "engine/pop/evaluation/method.h"
#include "engine/pop/importance/answer_sample.h"

namespace poplens {

struct TrialMethod {
  EvalMethod method = EvalMethod::full;
  int depth = 0;
  Boundary boundary;
};

struct TrialOutcome {
  double loss = 0.0;            // of the sample's answer, the sum over its tokens, in nats
  std::vector<int32_t> answer;  // greedy, without the stop token
  double prefill_ms = 0.0;      // with the boundary
  double first_token_ms = 0.0;
};

class AnswerTrials {
 public:
  // `vocab`: ids from here on are never answered. Nobody else uses the decoder meanwhile.
  AnswerTrials(std::shared_ptr<Decoder> decoder, std::vector<int32_t> stop_tokens, int64_t vocab,
               int64_t prefill_chunk_tokens)
      : decoder_(std::move(decoder)),
        stop_tokens_(std::move(stop_tokens)),
        vocab_(vocab),
        prefill_chunk_tokens_(prefill_chunk_tokens) {}

  // Prefills the prompt once; the loss and the free answer both go on from there. Needs memory for the prompt and for
  // the longer of the sample's answer and max_tokens. No free answer where max_tokens is 0.
  Result<TrialOutcome> run(const AnswerSample& sample, const TrialMethod& trial, int64_t max_tokens,
                           const std::stop_token& stop);

 private:
  struct Trial;
  Result<void> forward(const Trial& trial, std::span<const int32_t> ids, int64_t position);
  Result<double> answer_loss(const Trial& trial);
  Result<std::vector<int32_t>> answer_freely(const Trial& trial, int64_t max_tokens);

  std::shared_ptr<Decoder> decoder_;
  std::vector<int32_t> stop_tokens_;
  int64_t vocab_;
  int64_t prefill_chunk_tokens_;
  KvCache cache_;
};

}  // namespace poplens
