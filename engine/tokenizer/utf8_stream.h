// The bytes of tokens as they are generated, handed out as whole characters only: a token may end inside a character.
#pragma once

#include <string>
#include <string_view>

namespace poplens {

class Utf8Stream {
 public:
  // Takes the next bytes; returns every character that is complete now. Bytes that can't become a character are
  // replaced by U+FFFD, so that all that is returned, joined, is replace_invalid_utf8() of all that came in.
  std::string push(std::string_view bytes);

  // The end: an incomplete tail comes out as one U+FFFD. The stream is empty again afterwards.
  std::string flush();

 private:
  std::string pending_;  // the beginning of a character, at most three bytes
};

}  // namespace poplens
