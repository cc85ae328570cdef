// UTF-8, read strictly (Unicode 3.9, table 3-7: no surrogates, no overlong forms, nothing past U+10FFFF).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace poplens {

enum class Utf8Status {
  valid,      // a whole character
  invalid,    // `length` bytes that no character begins with
  truncated,  // the text ends inside a character that was right so far
};

struct Utf8Char {
  char32_t code_point = 0;  // only when valid
  size_t length = 0;        // bytes: of the character, or of the maximal subpart that one U+FFFD replaces
  Utf8Status status = Utf8Status::invalid;
};

// The character at the start of `bytes`, which must not be empty.
Utf8Char decode_utf8(std::string_view bytes);

void append_utf8(std::string& text, char32_t code_point);

bool is_valid_utf8(std::string_view bytes);

// `bytes` with each maximal ill-formed subpart replaced by U+FFFD: Python's errors="replace", Rust's from_utf8_lossy.
std::string replace_invalid_utf8(std::string_view bytes);

}  // namespace poplens
