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

// Makes room for `rows` positions behind the first `kept`, which stay in the cache.
Result<void> AnswerRunner::reserve(int64_t rows, int64_t kept) {
  POPLENS_CHECK(decoder_->reserve(rows));
  return cache_.reserve(*decoder_, kept + rows, kept);
}

Result<void> AnswerRunner::forward(const DecoderChunk& chunk, const VirtualGates* gates, int64_t outputs_from,
                                   const std::function<void(int)>& on_layer, const std::stop_token& stop) {
  POPLENS_CHECK(reserve(static_cast<int64_t>(chunk.ids.size()), chunk.first_position));
  PrefillTrace trace;
  return decoder_->forward(chunk, {.outputs_from = outputs_from, .gates = gates}, cache_.layers(), trace, on_layer,
                           stop);
}

Result<double> AnswerRunner::loss(const AnswerSequence& sequence, const VirtualGates* gates, int64_t first,
                                  const std::stop_token& stop) {
  POPLENS_CHECK(forward(sequence.chunk(first), gates, sequence.answer_from(), {}, stop));
  return answer_loss(sequence, sequence.answer_from() - first);
}

Result<double> AnswerRunner::pruned_loss(const AnswerSequence& sequence, int depth, int64_t pruned_below,
                                         const ConstMatrix& entering, const std::stop_token& stop) {
  const int layers = decoder_->spec().layer_count();
  POPLENS_TRY(plan, PopPlan::suffix(layers, depth, {}));
  // Layer by layer the same bits come out as with gates.
  plan.per_layer_kv = true;
  POPLENS_CHECK(reserve(sequence.tokens(), 0));
  PrefillTrace trace;
  POPLENS_CHECK(
      decoder_->forward_from(layers - depth, entering, sequence.chunk(0),
                             {.plan = &plan, .pruned_below = pruned_below, .outputs_from = sequence.answer_from()},
                             cache_.layers(), trace, stop));
  return answer_loss(sequence, sequence.answer_from());
}

// The decoder's last forward ran the answer's positions; the first of them is chunk row `row`.
double AnswerRunner::answer_loss(const AnswerSequence& sequence, int64_t row) {
  std::vector<float> logits(static_cast<size_t>(decoder_->spec().vocab));
  double loss = 0.0;
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
