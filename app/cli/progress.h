// What runs now, on one line of the terminal that is drawn over and over and gone before anything else is shown.
#pragma once

#include <chrono>
#include <string>

#include "engine/session/events.h"

namespace poplens::cli {

class ProgressLine {
 public:
  // Draws only where standard error is a terminal.
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Event& event);
  void show(const std::string& text);
  void clear();

 private:
  void draw(const std::string& text);

  bool terminal_ = false;
  bool drawn_ = false;
  std::string stage_;
  std::chrono::steady_clock::time_point drawn_at_;
};

}  // namespace poplens::cli
