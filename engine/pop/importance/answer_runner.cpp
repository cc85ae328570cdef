#include "engine/pop/importance/answer_runner.h"

#include <algorithm>

#include "engine/pop/importance/answer_loss.h"
#include "engine/session/sampler.h"

namespace poplens {

int64_t AnswerRunner::workspace_bytes(int64_t tokens) const {
  const int64_t gated_branch = tokens * decoder_->spec().hidden * size_of(DType::f32);
  return decoder_->workspace_bytes(tokens) + gated_branch +
         KvCache::bytes(decoder_->spec(), decoder_->activations(), tokens);
}

Result<void> AnswerRunner::forward(const DecoderChunk& chunk, const VirtualGates* gates, int64_t outputs_from,
                                   const std::function<void(int)>& on_layer, const std::stop_token& stop) {
  const auto rows = static_cast<int64_t>(chunk.ids.size());
  POPLENS_CHECK(decoder_->reserve(rows));
  POPLENS_CHECK(cache_.reserve(*decoder_, chunk.first_position + rows, chunk.first_position));
  PrefillTrace trace;
  return decoder_->forward(chunk, {.outputs_from = outputs_from, .gates = gates}, cache_.layers(), trace, on_layer,
                           stop);
}

Result<double> AnswerRunner::loss(const AnswerSequence& sequence, const VirtualGates* gates, int64_t first,
                                  const std::stop_token& stop) {
  POPLENS_CHECK(forward(sequence.chunk(first), gates, sequence.answer_from(), {}, stop));
  std::vector<float> logits(static_cast<size_t>(decoder_->spec().vocab));
  double loss = 0.0;
  int64_t row = sequence.answer_from() - first;
  for (const int32_t token : sequence.answer()) {
    decoder_->logits(row++, 1, logits);
    loss += negative_log_likelihood(logits, token);
  }
  return loss;
}

Result<void> AnswerRunner::run(const AnswerSequence& sequence, const std::function<void(int)>& on_layer,
                               const std::stop_token& stop) {
  return forward(sequence.chunk(0), nullptr, 0, on_layer, stop);
}

Result<std::vector<int32_t>> AnswerRunner::draw(const AnswerSample& sample, int64_t count, uint64_t seed,
                                                const std::stop_token& stop) {
  const int64_t vocab = decoder_->spec().vocab;
  std::vector<float> logits(static_cast<size_t>(vocab));
  Sampler sampler({.temperature = 1.0, .seed = seed}, vocab);
  AnswerSample drawn{sample.prompt, sample.features, {sample.prompt.ids.back()}};
  std::vector<int32_t> answer;
  int64_t first = 0;
  while (static_cast<int64_t>(answer.size()) < count) {
    const AnswerSequence sequence(drawn, decoder_->spec().image_attends_both_ways);
    POPLENS_CHECK(forward(sequence.chunk(first), nullptr, sequence.tokens() - 1, {}, stop));
    decoder_->logits(sequence.tokens() - 1 - first, 1, logits);
    answer.push_back(sampler.next(logits, {}));
    first = sequence.tokens();
    // The sequence leaves the last token out: another one stands behind the one just drawn.
    drawn.answer.insert(drawn.answer.end() - 1, answer.back());
  }
  return answer;
}

}  // namespace poplens
