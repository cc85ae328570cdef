#include "engine/pop/importance/answer_sample.h"

namespace poplens {

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
