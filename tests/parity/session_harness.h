// What the session tests share: recorded events, pictures drawn in memory, checkpoints whose answers go on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/parity/golden_case.h"

namespace poplens::test {

// Keeps what a session reports and can stop it.
struct EventRecorder {
  std::vector<Event> events;
  std::stop_source stop;
  std::function<bool(const Event&)> stop_when;  // asked at every event

  EventSink sink();
  // "prefill(", "prefill)" … : starts and ends of stages in order.
  std::vector<std::string> stages() const;
  // Of one stage, in order.
  std::vector<StageProgress> progress(Stage stage) const;
  std::vector<std::string> pieces() const;
  std::string text() const;
};

// A 24-bit BMP of random smooth colours.
Picture drawn_picture(int width, int height, uint32_t seed);

// A user's message with one picture before the text.
PromptRequest picture_question(const Picture& picture, const std::string& text);
PromptRequest text_question(const std::string& text);
// The conversation goes on: the answer, and the next question.
PromptRequest next_question(PromptRequest request, const std::string& answer, const std::string& text);

// The same model with another config, for what a folder's files say about answers.
LoadedModel with_config(LoadedModel model, const std::function<void(ModelConfig&)>& change);
// A tiny checkpoint in f32 that knows no stop token.
LoadedModel open_ended_checkpoint(const std::string& name);

// Depth and boundary as a plan of this model.
PopPlan suffix_plan(const LoadedModel& model, int depth, const Boundary& boundary);

}  // namespace poplens::test
