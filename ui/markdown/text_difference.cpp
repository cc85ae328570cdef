#include "ui/markdown/text_difference.h"

#include <algorithm>

#include <QRegularExpression>

namespace poplens::ui {
namespace {

bool between_words(const QString& text, int place) {
  return place <= 0 || place >= text.size() || text[place].isSpace() || text[place - 1].isSpace();
}

QString without_marks(QString text) {
  return text.remove(kMarkBegin).remove(kMarkEnd);
}

// Behind list bullets, numbers, quotes and heading signs at the beginning of a line.
int behind_block_opening(const QString& text, int place) {
  static const QRegularExpression opening(
      QStringLiteral("\\G(?:[ \\t]*(?:```|~~~)[^\\n]*\\n|[ \\t]*(?:[-*+>]|#{1,6}|\\d{1,9}[.)])[ \\t]+)+"));
  const int line = static_cast<int>(text.lastIndexOf('\n', std::max(0, place - 1)) + 1);
  const auto match = opening.match(text, place == 0 ? 0 : line);
  return match.hasMatch() ? std::max(place, static_cast<int>(match.capturedEnd())) : place;
}

// Before the line of a code fence, which a mark would make a line of code.
int before_fence(const QString& text, int place) {
  const auto line = static_cast<int>(place > 0 ? text.lastIndexOf('\n', place - 1) + 1 : 0);
  const QString opening = text.mid(line).trimmed();
  const bool fence = opening.startsWith(QLatin1String("```")) || opening.startsWith(QLatin1String("~~~"));
  return fence ? std::max(0, line - 1) : place;
}

}  // namespace

TextDifference difference_between(const QString& a, const QString& b) {
  const auto shorter = static_cast<int>(std::min(a.size(), b.size()));
  int begin = 0;
  while (begin < shorter && a[begin] == b[begin]) ++begin;
  if (begin == a.size() && begin == b.size()) return {{begin, begin}, {begin, begin}};
  while (!between_words(a, begin) || !between_words(b, begin)) --begin;

  int same = 0;
  while (same < shorter - begin && a[a.size() - 1 - same] == b[b.size() - 1 - same]) ++same;
  const auto a_end = [&] { return static_cast<int>(a.size()) - same; };
  const auto b_end = [&] { return static_cast<int>(b.size()) - same; };
  while (same > 0 && !(between_words(a, a_end()) && between_words(b, b_end()))) --same;
  // Space around the words is not what differs.
  const auto trimmed = [begin](const QString& text, int end) {
    TextSpan span{begin, end};
    while (span.begin < span.end && text[span.begin].isSpace()) ++span.begin;
    while (span.end > span.begin && text[span.end - 1].isSpace()) --span.end;
    return span;
  };
  return {trimmed(a, a_end()), trimmed(b, b_end())};
}

QString with_marks(const QString& markdown, const TextSpan& span) {
  if (span.begin >= span.end || markdown.contains(kMarkBegin) || markdown.contains(kMarkEnd)) {
    return without_marks(markdown);
  }
  const auto size = static_cast<int>(markdown.size());
  const int end = before_fence(markdown, std::clamp(span.end, 0, size));
  const int begin = behind_block_opening(markdown, std::clamp(span.begin, 0, size));
  if (begin >= end) return markdown;
  return markdown.left(begin) + kMarkBegin + markdown.mid(begin, end - begin) + kMarkEnd + markdown.mid(end);
}

}  // namespace poplens::ui
