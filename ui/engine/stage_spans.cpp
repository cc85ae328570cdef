#include "ui/engine/stage_spans.h"

#include <algorithm>

namespace poplens::ui {
namespace {

// Where a stage's time belongs; nowhere for decoding, which comes after the first token.
double* time_of(StageTimes& times, Stage stage) {
  switch (stage) {
    case Stage::image_decode:
      return &times.image_decode_ms;
    case Stage::preprocess:
      return &times.preprocess_ms;
    case Stage::vision:
      return &times.vision_ms;
    case Stage::prefill:
      return &times.prefill_ms;
    case Stage::boundary:
      return &times.boundary_ms;
    case Stage::first_token:
      return &times.first_token_ms;
    case Stage::decode:
      return nullptr;
  }
  return nullptr;
}

using Ms = std::chrono::duration<double, std::milli>;

}  // namespace

StageSpans::Moment StageSpans::moment_of(const Event& event) const {
  return began_ + std::chrono::duration_cast<Moment::duration>(Ms(event.at_ms));
}

void StageSpans::close(Moment end) {
  if (!open_) return;
  open_->end = end;
  spans_.append(*open_);
  open_.reset();
}

void StageSpans::take(const Event& event) {
  if (const auto* started = std::get_if<StageStarted>(&event.what)) {
    close(moment_of(event));
    open_ = Span{.stage = started->stage, .begin = moment_of(event)};
  } else if (std::holds_alternative<StageFinished>(event.what)) {
    close(moment_of(event));
  }
}

StageTimes StageSpans::before(Moment moment) const {
  StageTimes times;
  for (const Span& span : spans_) {
    double* time = time_of(times, span.stage);
    if (time != nullptr) *time += Ms(std::clamp(moment, span.begin, span.end) - span.begin).count();
  }
  return times;
}

StageTimes StageSpans::after(Moment moment) const {
  StageTimes times;
  for (const Span& span : spans_) {
    double* time = time_of(times, span.stage);
    if (time != nullptr) *time += Ms(span.end - std::clamp(moment, span.begin, span.end)).count();
  }
  return times;
}

StageTimes operator+(const StageTimes& a, const StageTimes& b) {
  return {.image_decode_ms = a.image_decode_ms + b.image_decode_ms,
          .preprocess_ms = a.preprocess_ms + b.preprocess_ms,
          .vision_ms = a.vision_ms + b.vision_ms,
          .prefill_ms = a.prefill_ms + b.prefill_ms,
          .boundary_ms = a.boundary_ms + b.boundary_ms,
          .first_token_ms = a.first_token_ms + b.first_token_ms};
}

}  // namespace poplens::ui
