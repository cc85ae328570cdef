#include "ui/markdown/block_splitter.h"

#include <algorithm>

#include <QRegularExpression>

namespace poplens::ui {
namespace {

const QRegularExpression& fence_pattern() {
  static const QRegularExpression pattern(QStringLiteral("^ {0,3}(`{3,}|~{3,})\\s*([^`]*)$"));
  return pattern;
}

// The column where the text of the list item that begins in this line stands; 0: none begins.
int item_column(const QString& line) {
  static const QRegularExpression pattern(QStringLiteral("^ {0,3}([-+*]|\\d{1,9}[.)])(\\s|$)"));
  const auto match = pattern.match(line);
  return match.hasMatch() ? static_cast<int>(match.capturedEnd(1)) + 1 : 0;
}

int indent_of(const QString& line) {
  const auto text = std::find_if_not(line.begin(), line.end(), [](QChar c) { return c == u' '; });
  return static_cast<int>(text - line.begin());
}

bool is_heading(const QString& line) {
  static const QRegularExpression pattern(QStringLiteral("^ {0,3}#{1,6}(\\s|$)"));
  return pattern.match(line).hasMatch();
}

bool is_indented(const QString& line) {
  return line.startsWith(QLatin1String("  ")) || line.startsWith(QLatin1Char('\t'));
}

}  // namespace

void BlockSplitter::open(MarkdownBlock block) {
  blocks_.append(std::move(block));
  state_.block_open = true;
  state_.lines = 0;
}

void BlockSplitter::add_code_line(const QString& line) {
  const QString trimmed = line.trimmed();
  const bool closes = trimmed.size() >= state_.fence.size() && !trimmed.isEmpty() &&
                      trimmed.count(state_.fence.front()) == trimmed.size();
  if (closes) {
    state_ = {};
    return;
  }
  if (state_.lines >= kMostLines || blocks_.last().text.size() + line.size() > kMostCharacters) {
    const QString fence = state_.fence;
    open({MarkdownBlock::Kind::code, {}, blocks_.last().language, /*goes_on=*/true});
    state_.fence = fence;
  }
  MarkdownBlock& block = blocks_.last();
  if (state_.lines > 0) block.text += QLatin1Char('\n');
  block.text += line;
  ++state_.lines;
}

void BlockSplitter::add_text_line(const QString& line) {
  if (const auto fence = fence_pattern().match(line); fence.hasMatch()) {
    open({MarkdownBlock::Kind::code, {}, fence.captured(2).trimmed().section(QLatin1Char(' '), 0, 0)});
    state_.fence = fence.captured(1);
    return;
  }
  if (line.trimmed().isEmpty()) {
    state_.block_open = false;
    return;
  }
  const int column = blocks_.isEmpty() ? 0 : item_column(blocks_.last().text.section(QLatin1Char('\n'), 0, 0));
  const bool in_list = column > 0;
  const bool full = state_.lines >= kMostLines;
  // An item of a list inside the item belongs to it.
  const bool nested = in_list && indent_of(line) >= column;
  const bool begins = (item_column(line) > 0 && !nested) || is_heading(line) || full;
  if (state_.block_open && !begins) {
    blocks_.last().text += QLatin1Char('\n') + line;
  } else if (!state_.block_open && in_list && is_indented(line) && !full) {
    // A later paragraph of a list item.
    blocks_.last().text += QLatin1String("\n\n") + line;
    state_.block_open = true;
  } else {
    open({MarkdownBlock::Kind::text, line, {}});
  }
  ++state_.lines;
  if (is_heading(line)) state_.block_open = false;
}

void BlockSplitter::add_line(const QString& line) {
  if (!state_.fence.isEmpty()) {
    add_code_line(line);
  } else {
    add_text_line(line);
  }
}

int BlockSplitter::append(const QString& text) {
  // Back to how it was before the unfinished line.
  int first_changed = static_cast<int>(blocks_.size());
  if (!line_.isEmpty()) {
    first_changed = std::max(0, settled_blocks_ - 1);
    blocks_.resize(settled_blocks_);
    if (has_settled_last_) blocks_.last() = settled_last_;
    state_ = settled_state_;
  } else if (!blocks_.isEmpty()) {
    first_changed = static_cast<int>(blocks_.size()) - 1;
  }

  QString rest = line_ + text;
  qsizetype begin = 0;
  for (qsizetype end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', begin)) {
    add_line(rest.mid(begin, end - begin));
    begin = end + 1;
  }
  line_ = rest.mid(begin);
  // A line without an end is cut at a space.
  while (line_.size() > kMostCharacters) {
    const qsizetype space = line_.lastIndexOf(QLatin1Char(' '), kMostCharacters);
    const qsizetype cut = space > 0 ? space : kMostCharacters;
    add_line(line_.left(cut));
    if (state_.fence.isEmpty()) state_.block_open = false;
    line_ = line_.mid(space > 0 ? cut + 1 : cut);
  }
  show_partial_line();
  return first_changed;
}

void BlockSplitter::show_partial_line() {
  settled_blocks_ = static_cast<int>(blocks_.size());
  has_settled_last_ = !blocks_.isEmpty();
  if (has_settled_last_) settled_last_ = blocks_.last();
  settled_state_ = state_;
  if (!line_.isEmpty()) add_line(line_);
}

}  // namespace poplens::ui
