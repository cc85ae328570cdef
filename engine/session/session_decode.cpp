// The answer, token by token.
#include <algorithm>

#include "engine/session/answer_text.h"
#include "engine/session/session_run.h"
#include "engine/tokenizer/utf8_stream.h"

namespace poplens {

// Runs the full model on one token of the answer; its logits are then ready.
Result<void> Session::decode_step(Run& run, int32_t id, PrefillTrace& trace) {
  const RopePosition position{run.prompt.next_position, run.prompt.next_position, run.prompt.next_position};
  const DecoderChunk chunk{.ids = {&id, 1}, .first_position = cached_.tokens(), .positions = {&position, 1}};
  POPLENS_CHECK(decoder_->forward(chunk, PrefillRows{}, cache_.layers(), trace, {}, run.stop));
  cached_.append_answer(id);
  ++run.prompt.next_position;
  return {};
}

Result<void> Session::decode(Run& run, const GenerateRequest& request, Answer& answer) {
  const Tokenizer& tokenizer = prompts_->tokenizer();
  const auto& stops = prompts_->config().generation.stop_tokens;
  const int64_t vocab = decoder_->spec().vocab;
  Sampler sampler(request.sampling, std::min<int64_t>(vocab, tokenizer.vocab_size()));
  AnswerText text(request.stop_strings);
  Utf8Stream characters;
  std::vector<int32_t> context = run.prompt.ids;
  std::vector<float> logits(static_cast<size_t>(vocab));
  PrefillTrace trace;

  const auto start = Clock::now();
  auto first_token_at = start;
  run.emit(StageStarted{Stage::first_token});
  decoder_->logits(run.last_row, 1, logits);
  if (request.keep_first_logits) answer.first_logits = logits;

  const int64_t most = std::min(request.max_tokens, run.capacity - run.prompt.tokens());
  answer.finish_reason = FinishReason::length;
  if (most == 0) {
    run.stages.first_token_ms = ms_since(start);
    run.emit(StageFinished{Stage::first_token, run.stages.first_token_ms});
    return {};
  }
  for (int64_t step = 0; step < most; ++step) {
    if (step > 0) {
      auto stepped = decode_step(run, answer.tokens.back(), trace);
      if (!stepped.ok()) {
        if (!stepped.error().cancelled) return stepped.error();
        answer.finish_reason = FinishReason::cancelled;
        break;
      }
      decoder_->logits(0, 1, logits);
    }
    const int32_t id = sampler.next(logits, context);
    const bool stops_here = std::find(stops.begin(), stops.end(), id) != stops.end();
    std::string shown;
    if (!stops_here) {
      shown = text.add(characters.push(tokenizer.is_special(id) ? std::string() : tokenizer.token_bytes(id)));
      answer.tokens.push_back(id);
      context.push_back(id);
    }
    if (step == 0) {
      first_token_at = Clock::now();
      run.stages.first_token_ms = ms_since(start);
      answer.ttft_ms = run.elapsed_ms();
      run.emit(StageFinished{Stage::first_token, run.stages.first_token_ms});
      run.emit(StageStarted{Stage::decode});
    }
    if (!stops_here) run.emit(TokenEvent{id, std::move(shown)});
    if (stops_here || text.stopped()) {
      answer.finish_reason = FinishReason::stop;
      break;
    }
  }

  const double decode_ms = ms_since(first_token_at);
  std::string rest = text.add(characters.flush());
  rest += text.finish();
  if (!rest.empty()) run.emit(TokenEvent{answer.tokens.back(), rest});
  run.emit(StageFinished{Stage::decode, decode_ms});
  answer.text = text.shown();
  const auto later_tokens = static_cast<double>(answer.tokens.size()) - 1.0;
  if (later_tokens > 0.0 && decode_ms > 0.0) answer.decode_tokens_per_s = later_tokens / decode_ms * 1000.0;
  return {};
}

}  // namespace poplens
