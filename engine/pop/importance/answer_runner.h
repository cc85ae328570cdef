// Runs answers through a decoder, gated or not, and tells their loss.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>

#include "engine/pop/importance/answer_sample.h"

namespace poplens {

class AnswerRunner {
 public:
  // The decoder computes in f32 where gradients or bits matter; nobody else uses it meanwhile.
  explicit AnswerRunner(std::shared_ptr<Decoder> decoder) : decoder_(std::move(decoder)) {}

  // Bytes that sequences of `tokens` positions need besides the weights.
  int64_t workspace_bytes(int64_t tokens) const;

  // The loss of the whole answer in nats: the sum over its tokens. The positions from `first` on are run, at most
  // answer_from(); what lies before must be in the cache from an earlier run of the same sequence. gates: null for
  // none.
  Result<double> loss(const AnswerSequence& sequence, const VirtualGates* gates, int64_t first,
                      const std::stop_token& stop);
  // The loss with the last `depth` layers pruned at positions below pruned_below, under the usual plan. `entering`: the
  // residual stream that enters the first of them in the full model, [tokens, hidden].
  Result<double> pruned_loss(const AnswerSequence& sequence, int depth, int64_t pruned_below,
                             const ConstMatrix& entering, const std::stop_token& stop);
  // Runs all positions without gates, telling on_layer(l) after each layer; the cache and the decoder's residual stream
  // hold the result.
  Result<void> run(const AnswerSequence& sequence, const std::function<void(int)>& on_layer,
                   const std::stop_token& stop);

  // `count` tokens drawn from the model's own distribution of answers to the sample's prompt. An end of turn is a token
  // like the others: the expectation of a score over sequences of one length is exactly zero.
  Result<std::vector<int32_t>> draw(const AnswerSample& sample, int64_t count, uint64_t seed,
                                    const std::stop_token& stop);

  Decoder& decoder() const { return *decoder_; }

 private:
  Result<void> reserve(int64_t rows, int64_t kept);
  double answer_loss(const AnswerSequence& sequence, int64_t row);
  Result<void> forward(const DecoderChunk& chunk, const VirtualGates* gates, int64_t outputs_from,
                       const std::function<void(int)>& on_layer, const std::stop_token& stop);

  std::shared_ptr<Decoder> decoder_;
  KvCache cache_;
};

}  // namespace poplens
