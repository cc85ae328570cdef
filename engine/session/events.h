// What a session reports while it works. The desktop's charts, the command line's progress and the JSON reports are
// readers of the same events.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>

namespace poplens {

// The stages up to the first token, in the order in which they run, and the decoding after it.
enum class Stage : uint8_t { image_decode, preprocess, vision, prefill, boundary, first_token, decode };

const char* name_of(Stage stage);

// `index` of `count` pictures where the stage belongs to one; 0 of 0 otherwise.
struct StageStarted {
  Stage stage = Stage::prefill;
  int index = 0;
  int count = 0;
};

// Layer `done` of `total` is finished (over all chunks of a prefill).
struct StageProgress {
  Stage stage = Stage::prefill;
  int64_t done = 0;
  int64_t total = 0;
};

// `ms` is the time the stage took, all pictures or chunks together at its last end. A stage that is stopped or fails
// before the answer has no end.
struct StageFinished {
  Stage stage = Stage::prefill;
  double ms = 0.0;
};

// What need not be computed again: so many of the prompt's first tokens are in the cache, and of the pictures behind
// them so many have been encoded before. Told before the first stage; not told where nothing is taken over.
struct FromCache {
  int64_t tokens = 0;
  int pictures = 0;
};

// One token of the answer. `text` holds whole characters only and may be empty while one is incomplete or could begin a
// stop string; what was held back until the end comes in one more event with the last token's id.
struct TokenEvent {
  int32_t id = 0;
  std::string text;
};

struct Event {
  double at_ms = 0.0;  // since the request began, monotonic
  std::variant<StageStarted, StageProgress, StageFinished, TokenEvent, FromCache> what;
};

// Called on the session's thread; must not block for long.
using EventSink = std::function<void(const Event&)>;

// Milliseconds to the first token, by stage.
struct StageTimes {
  double image_decode_ms = 0.0;
  double preprocess_ms = 0.0;
  double vision_ms = 0.0;
  double prefill_ms = 0.0;   // all executed layers, K/V projections of the pruned ones included
  double boundary_ms = 0.0;  // the boundary's rows in layers that the rest of the prompt skipped
  double first_token_ms = 0.0;
};

// The stages' names in reports and files, in the order in which they run.
struct NamedStageTime {
  const char* name;
  double StageTimes::*ms;
};
constexpr NamedStageTime kStageTimes[] = {{"image_decode", &StageTimes::image_decode_ms},
                                          {"preprocess", &StageTimes::preprocess_ms},
                                          {"vision", &StageTimes::vision_ms},
                                          {"prefill", &StageTimes::prefill_ms},
                                          {"boundary", &StageTimes::boundary_ms},
                                          {"first_token", &StageTimes::first_token_ms}};

}  // namespace poplens
