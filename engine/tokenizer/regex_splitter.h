// Cuts text at the matches of a regular expression.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace poplens {

using PieceReader = std::function<void(std::string_view piece)>;

class RegexSplitter {
 public:
  // An expression in the syntax that Oniguruma and PCRE2 share, with Unicode classes.
  static Result<RegexSplitter> compile(const std::string& expression);

  // Hands every match, and every stretch between two, to `read` in order: the pieces joined are `text` again, and
  // views of it. `text` must be valid UTF-8. Where the matching itself fails (an expression that backtracks without
  // end), the rest of the text is one piece.
  void split(std::string_view text, const PieceReader& read) const;

 private:
  struct Code;
  std::shared_ptr<const Code> code_;
};

}  // namespace poplens
