#include "engine/session/answer_text.h"

#include <algorithm>

namespace poplens {
namespace {

// Length of the longest end of `text` that begins `stop`.
size_t overlap(std::string_view text, std::string_view stop) {
  for (size_t length = std::min(text.size(), stop.size()); length > 0; --length) {
    if (text.ends_with(stop.substr(0, length))) return length;
  }
  return 0;
}

}  // namespace

std::string AnswerText::add(std::string_view text) {
  if (stopped_) return {};
  held_ += text;
  size_t end = std::string::npos;
  for (const std::string& stop : stops_) {
    if (!stop.empty()) end = std::min(end, held_.find(stop));
  }
  size_t keep = 0;
  if (end != std::string::npos) {
    stopped_ = true;
    held_.resize(end);
  } else {
    for (const std::string& stop : stops_) keep = std::max(keep, overlap(held_, stop));
  }
  std::string shown = held_.substr(0, held_.size() - keep);
  held_.erase(0, shown.size());
  shown_ += shown;
  return shown;
}

std::string AnswerText::finish() {
  std::string rest = std::move(held_);
  held_.clear();
  shown_ += rest;
  return rest;
}

}  // namespace poplens
