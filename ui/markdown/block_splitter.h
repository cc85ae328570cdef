// Cuts Markdown that arrives bit by bit into blocks, so that only the block that is still open is ever parsed again.
#pragma once

#include <cstdint>

#include <QList>
#include <QString>

namespace poplens::ui {

struct MarkdownBlock {
  enum class Kind : uint8_t {
    text,  // a paragraph, heading, table, quotation or one item of a list, with the lists in it
    code,
  };
  Kind kind = Kind::text;
  QString text;          // Markdown; of a code block its lines alone
  QString language;      // of a code block, as its fence names it
  bool goes_on = false;  // continues the block before it (long code is cut)

  bool operator==(const MarkdownBlock&) const = default;
};

// A block ends at a blank line, before a heading, list item or fence, and at kMostLines or kMostCharacters: what is
// parsed again per token is bounded by that, however long the answer is.
class BlockSplitter {
 public:
  static constexpr int kMostLines = 48;
  static constexpr int kMostCharacters = 4000;

  // What the text added changed: blocks before `first_changed` are as they were.
  int append(const QString& text);

  const QList<MarkdownBlock>& blocks() const { return blocks_; }
  // The fence of a code block that has not ended; empty where there is none.
  QString open_fence() const { return state_.fence; }

 private:
  void add_line(const QString& line);
  void add_code_line(const QString& line);
  void add_text_line(const QString& line);
  void open(MarkdownBlock block);
  // What an unfinished last line would make of the blocks is shown, and undone when more of it comes.
  void show_partial_line();

  QList<MarkdownBlock> blocks_;
  QString line_;            // the last line, as far as it has come
  int settled_blocks_ = 0;  // how many there are without the last line
  MarkdownBlock settled_last_;
  bool has_settled_last_ = false;

  struct State {
    bool block_open = false;
    QString fence;  // of the code block that is open
    int lines = 0;  // of the open block
  };
  State state_;
  State settled_state_;
};

}  // namespace poplens::ui
