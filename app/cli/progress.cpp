#include "app/cli/progress.h"

#include <cstdio>

#include "app/cli/console.h"

namespace poplens::cli {
namespace {

constexpr auto kRedrawAfter = std::chrono::milliseconds(50);

std::string label(const StageStarted& started) {
  std::string text = name_of(started.stage);
  for (char& c : text) {
    if (c == '_') c = ' ';
  }
  if (started.count > 1) text += " " + std::to_string(started.index + 1) + " of " + std::to_string(started.count);
  return text;
}

}  // namespace

ProgressLine::ProgressLine() : terminal_(error_is_terminal()) {}

void ProgressLine::show(const Event& event) {
  if (!terminal_) return;
  if (const auto* started = std::get_if<StageStarted>(&event.what)) {
    stage_ = label(*started);
    if (started->stage == Stage::decode) {
      clear();
    } else {
      draw(stage_);
    }
  } else if (const auto* progress = std::get_if<StageProgress>(&event.what)) {
    if (std::chrono::steady_clock::now() - drawn_at_ < kRedrawAfter) return;
    draw(stage_ + " " + std::to_string(progress->done) + "/" + std::to_string(progress->total));
  }
}

void ProgressLine::show(const std::string& text) {
  if (terminal_) draw(text);
}

void ProgressLine::clear() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

void ProgressLine::draw(const std::string& text) {
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
  drawn_ = true;
  drawn_at_ = std::chrono::steady_clock::now();
}

}  // namespace poplens::cli
