#include "engine/pop/importance/answer_sample.h"

namespace poplens {

Result<AnswerSample> make_answer_sample(const PromptBuilder& prompts, ImageEncoder* encoder,
                                        const PromptRequest& request, std::string_view answer,
                                        const std::stop_token& stop) {
  AnswerSample sample;
  POPLENS_TRY(prompt, prompts.build(request, encoder));
  sample.prompt = std::move(prompt);
  sample.answer = prompts.tokenizer().encode(answer, Tokenizer::Special::text);
  if (sample.answer.empty()) return Error{"the answer has no token"};
  const auto answer_tokens = static_cast<int64_t>(sample.answer.size());
  const int64_t context = prompts.config().decoder.context;
  if (sample.prompt.tokens() > context - answer_tokens) {
    return Error{"prompt and answer have " + std::to_string(sample.prompt.tokens()) + " and " +
                 std::to_string(answer_tokens) + " tokens, the model's context " + std::to_string(context)};
  }
  const EncodeProgress progress{
      .started = [](Stage) {}, .finished = [](Stage, double) {}, .progress = [](Stage, int64_t, int64_t) {}};
  for (const PromptPicture& picture : sample.prompt.pictures) {
    POPLENS_TRY(features, encoder->encode(picture.picture, progress, stop));
    sample.features.push_back(std::move(features));
  }
  return sample;
}

AnswerSequence::AnswerSequence(const AnswerSample& sample, bool both_ways)
    : sample_(sample), ids_(sample.prompt.ids), positions_(sample.prompt.positions) {
  int32_t position = sample.prompt.next_position;
  for (size_t i = 0; i + 1 < sample.answer.size(); ++i, ++position) {
    ids_.push_back(sample.answer[i]);
    positions_.push_back({position, position, position});
  }
  const std::vector<TokenSpan> pictures = sample.prompt.picture_spans();
  decode_from_ = boundary_begin({Boundary::Kind::last, 1}, sample.prompt.tokens(), pictures);
  text_from_ = boundary_begin({Boundary::Kind::text, 1}, sample.prompt.tokens(), pictures);
  if (both_ways) both_ways_ = pictures;
}

DecoderChunk AnswerSequence::chunk(int64_t first) const {
  return {.ids = std::span(ids_).subspan(static_cast<size_t>(first)),
          .first_position = first,
          .positions = std::span(positions_).subspan(static_cast<size_t>(first)),
          .pictures = picture_rows(sample_.prompt, sample_.features, first, tokens()),
          .both_ways = both_ways_};
}

}  // namespace poplens
