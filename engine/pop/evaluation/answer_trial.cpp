#include "engine/pop/evaluation/answer_trial.h"

#include <algorithm>

#include "engine/base/clock.h"
#include "engine/pop/importance/answer_loss.h"
#include "engine/session/memory_need.h"
#include "engine/session/sampler.h"

namespace poplens {
struct AnswerTrials::Trial {
  const AnswerSample& sample;
  std::optional<VirtualGates> gates;
  std::vector<float> first_logits;  // of the prompt's last position
  const std::stop_token& stop;

  const VirtualGates* gates_or_null() const { return gates ? &*gates : nullptr; }
};

// Positions `position` and on of the answer; their logits are then ready.
Result<void> AnswerTrials::forward(const Trial& trial, std::span<const int32_t> ids, int64_t position) {
  std::vector<RopePosition> positions(ids.size());
  auto next = static_cast<int32_t>(trial.sample.prompt.next_position + position - trial.sample.prompt.tokens());
  for (RopePosition& one : positions) one = {next, next, next}, ++next;
  POPLENS_CHECK(decoder_->reserve(static_cast<int64_t>(ids.size())));
  PrefillTrace trace;
  return decoder_->forward({.ids = ids, .first_position = position, .positions = positions},
                           {.gates = trial.gates_or_null()}, cache_.layers(), trace, {}, trial.stop);
}

Result<double> AnswerTrials::answer_loss(const Trial& trial) {
  const std::span<const int32_t> answer = trial.sample.answer;
  double loss = negative_log_likelihood(trial.first_logits, answer.front());
  if (answer.size() == 1) return loss;
  POPLENS_CHECK(forward(trial, answer.first(answer.size() - 1), trial.sample.prompt.tokens()));
  std::vector<float> logits(trial.first_logits.size());
  for (size_t i = 1; i < answer.size(); ++i) {
    decoder_->logits(static_cast<int64_t>(i) - 1, 1, logits);
    loss += negative_log_likelihood(logits, answer[i]);
  }
  return loss;
}

Result<std::vector<int32_t>> AnswerTrials::answer_freely(const Trial& trial, int64_t max_tokens) {
  Sampler greedy({}, vocab_);
  std::vector<float> logits = trial.first_logits;
  std::vector<int32_t> answer;
  while (static_cast<int64_t>(answer.size()) < max_tokens) {
    const int32_t id = greedy.next(logits, {});
    if (std::find(stop_tokens_.begin(), stop_tokens_.end(), id) != stop_tokens_.end()) break;
    const int64_t position = trial.sample.prompt.tokens() + static_cast<int64_t>(answer.size());
    answer.push_back(id);
    if (static_cast<int64_t>(answer.size()) == max_tokens) break;
    POPLENS_CHECK(forward(trial, {&id, 1}, position));
    decoder_->logits(0, 1, logits);
  }
  return answer;
}

Result<TrialOutcome> AnswerTrials::run(const AnswerSample& sample, const TrialMethod& method, int64_t max_tokens,
                                       const std::stop_token& stop) {
  const DecoderSpec& spec = decoder_->spec();
  const Prompt& prompt = sample.prompt;
  const int64_t room = spec.context - prompt.tokens();
  const auto known = static_cast<int64_t>(sample.answer.size());
  if (known > room) {
    return Error{"a prompt of " + std::to_string(prompt.tokens()) + " tokens with an answer of " +
                 std::to_string(known) + " is longer than the model's context of " + std::to_string(spec.context)};
  }
  max_tokens = std::min(max_tokens, room);
  const int64_t capacity = prompt.tokens() + std::max(known, max_tokens);
  const int64_t rows = largest_chunk(spec, prompt, 0, prefill_chunk_tokens_);
  int64_t bytes = decoder_->workspace_bytes(std::max(rows, known));
  if (capacity > cache_.capacity()) bytes += KvCache::bytes(spec, decoder_->activations(), capacity);
  POPLENS_CHECK(
      check_memory("a prompt of " + std::to_string(prompt.tokens()) + " tokens", bytes, available_memory_bytes()));
  POPLENS_CHECK(cache_.reserve(*decoder_, capacity, 0));

  Trial trial{
      .sample = sample, .gates = {}, .first_logits = std::vector<float>(static_cast<size_t>(spec.vocab)), .stop = stop};
  if (!runs_as_in_use(method.method)) {
    const int64_t begin = boundary_begin(method.boundary, prompt.tokens(), prompt.picture_spans());
    trial.gates = gates_for(method.method, spec.layer_count(), method.depth, begin, prompt.tokens());
  }
  const PopPlan plan = plan_for(method.method, spec.layer_count(), method.depth, method.boundary);
  const PrefillJob job{.prompt = prompt,
                       .plan = plan,
                       .outputs_from = prompt.tokens() - 1,
                       .chunk_tokens = prefill_chunk_tokens_,
                       .features = sample.features,
                       .gates = trial.gates_or_null(),
                       .stop = stop};
  TrialOutcome outcome;
  POPLENS_TRY(prefilled, run_prefill(*decoder_, cache_, job));
  const auto read_in = Clock::now();
  decoder_->logits(prefilled.last_row, 1, trial.first_logits);
  outcome.first_token_ms = ms_since(read_in);
  outcome.prefill_ms = prefilled.prefill_ms + prefilled.boundary_ms;
  POPLENS_TRY(loss, answer_loss(trial));
  POPLENS_TRY(answer, answer_freely(trial, max_tokens));
  outcome.loss = loss;
  outcome.answer = std::move(answer);
  return outcome;
}

}  // namespace poplens
