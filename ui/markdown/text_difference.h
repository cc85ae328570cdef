// Where two answers to one question part.
#pragma once

#include <QString>

namespace poplens::ui {

// Characters [begin, end) of a text; empty where end == begin.
struct TextSpan {
  int begin = 0;
  int end = 0;
  bool operator==(const TextSpan&) const = default;
};

struct TextDifference {
  TextSpan a, b;
};

// What lies between the words that both texts begin with and the words that both end with. Both spans are empty, at the
// texts' ends, where the texts are the same.
TextDifference difference_between(const QString& a, const QString& b);

// The Markdown with invisible marks around a span of it, which render_markdown() turns into a marked passage. The span
// moves behind what opens a block ("- ", "## ", a code fence), so that the block stays one.
QString with_marks(const QString& markdown, const TextSpan& span);

inline constexpr QChar kMarkBegin = QChar(0xE000);
inline constexpr QChar kMarkEnd = QChar(0xE001);

}  // namespace poplens::ui
