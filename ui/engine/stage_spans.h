// When the stages of one request ran: so that what was done before a moment can be told from what was done after it.
#pragma once

#include <chrono>
#include <optional>

#include <QList>

#include "engine/session/events.h"

namespace poplens::ui {

class StageSpans {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  // `began`: when the request did, which its events count from.
  StageSpans() = default;
  explicit StageSpans(Moment began) : began_(began) {}

  // A stage lasts until it is said to have ended, or until the next one starts.
  void take(const Event& event);

  StageTimes before(Moment moment) const;
  StageTimes after(Moment moment) const;

 private:
  struct Span {
    Stage stage = Stage::prefill;
    Moment begin;
    Moment end;
  };
  Moment moment_of(const Event& event) const;
  void close(Moment end);

  Moment began_;
  QList<Span> spans_;
  std::optional<Span> open_;
};

// Both together, stage by stage.
StageTimes operator+(const StageTimes& a, const StageTimes& b);

}  // namespace poplens::ui
