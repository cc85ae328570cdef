// The answer's text as it streams: whole characters only, stop strings cut off before anybody sees them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace poplens {

class AnswerText {
 public:
  explicit AnswerText(std::vector<std::string> stop_strings) : stops_(std::move(stop_strings)) {}

  // Adds a token's text and returns what may be shown now. Text that could be the beginning of a stop string is held
  // back until it is clear.
  std::string add(std::string_view text);
  // What was held back, at the end of the answer.
  std::string finish();
  // A stop string was met: the answer ends before it.
  bool stopped() const { return stopped_; }
  // All that has been shown.
  const std::string& shown() const { return shown_; }

 private:
  std::vector<std::string> stops_;
  std::string held_;
  std::string shown_;
  bool stopped_ = false;
};

}  // namespace poplens
