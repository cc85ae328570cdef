// A request on its way through a session's stages. Private to the session's own files.
#pragma once

#include "engine/base/clock.h"
#include "engine/session/session.h"

namespace poplens {

struct Session::Run {
  Prompt prompt;
  PopPlan plan;
  std::vector<uint64_t> picture_keys;
  std::vector<TokenSpan> picture_spans;
  int64_t boundary_begin = 0;
  int64_t outputs_from = 0;
  int64_t reused = 0;
  int64_t capacity = 0;
  std::vector<std::optional<PictureFeatures>> features;  // [pictures]
  bool keep_features = false;
  int reused_pictures = 0;
  PromptExtent computed;
  StageTimes stages;
  PrefillTrace trace;
  std::function<void(int64_t begin, int64_t end)> after_chunk;

  EventSink sink;
  std::stop_token stop;
  Clock::time_point start = Clock::now();
  int64_t last_row = 0;  // of the prompt's last position, in the chunk that ran last

  // Nothing is known yet of what the tower makes of this picture, and the decoder will ask for it.
  bool encodes(size_t picture) const { return prompt.pictures[picture].tokens.begin >= reused && !features[picture]; }
  double elapsed_ms() const { return ms_since(start); }
  template <typename What>
  void emit(What what) const {
    if (sink) sink({elapsed_ms(), std::move(what)});
  }
};

}  // namespace poplens
