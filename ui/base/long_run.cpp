#include "ui/base/long_run.h"

#include <algorithm>

namespace poplens::ui {

bool has_long_run(const QString& text) {
  constexpr qsizetype kLongRun = 5000;
  auto begin = text.begin();
  while (text.end() - begin >= kLongRun) {
    const auto end = std::find_if(begin, text.end(), [](QChar c) { return c.isSpace(); });
    if (end - begin >= kLongRun) return true;
    if (end == text.end()) return false;
    begin = end + 1;
  }
  return false;
}

}  // namespace poplens::ui
