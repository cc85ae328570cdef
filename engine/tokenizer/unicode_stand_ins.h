// Where PCRE2's character classes differ from the reference's regular expressions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace poplens {

// The `tokenizers` package splits with Oniguruma, which knows Unicode 16; Debian 12's PCRE2 10.42 knows Unicode 14 and
// counts U+180E as white space, Unicode does not. \p{L}, \p{N} and \s agree on every other code point. So a text is
// matched with each differing character replaced by one of the right class and of the same length in UTF-8: every
// offset stays the same, and so does every expression.
//
// Returns nothing (the usual case) when `text`, which must be valid UTF-8, has no such character.
std::optional<std::string> with_unicode_stand_ins(std::string_view text);

}  // namespace poplens
