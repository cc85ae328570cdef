// A question with its answer, ready to run: what importances and losses are measured on.
#pragma once

#include <optional>
#include <vector>

#include "engine/session/prefill.h"

namespace poplens {

struct AnswerSample {
  Prompt prompt;
  std::vector<std::optional<PictureFeatures>> features;  // one per picture of the prompt
  std::vector<int32_t> answer;                           // at least one token, no end of turn
};

// The prompt and the answer but for its last token: from there on nothing is computed that the loss depends on.
class AnswerSequence {
 public:
  // `sample` must live as long. both_ways: the model's pictures see themselves both ways.
  AnswerSequence(const AnswerSample& sample, bool both_ways);

  int64_t tokens() const { return static_cast<int64_t>(ids_.size()); }
  // The positions of the decode stage begin here for the boundary `last`, and for `text`.
  int64_t decode_from() const { return decode_from_; }
  int64_t text_from() const { return text_from_; }
  // The first position whose output predicts a token of the answer; one after the other does, to the end.
  int64_t answer_from() const { return sample_.prompt.tokens() - 1; }
  std::span<const int32_t> answer() const { return sample_.answer; }
  std::span<const RopePosition> positions() const { return positions_; }
  std::span<const TokenSpan> both_ways() const { return both_ways_; }

  // The positions from `first` on as one chunk; refers to this object.
  DecoderChunk chunk(int64_t first) const;

 private:
  const AnswerSample& sample_;
  std::vector<int32_t> ids_;
  std::vector<RopePosition> positions_;
  std::vector<TokenSpan> both_ways_;
  int64_t decode_from_ = 0;
  int64_t text_from_ = 0;
};

}  // namespace poplens
