#include "engine/tokenizer/unicode_stand_ins.h"

#include <algorithm>
#include <iterator>

#include "engine/tokenizer/utf8.h"

namespace poplens {
namespace {

enum class Class { letter, number, no_space };

struct Range {
  char32_t first;
  char32_t last;
  Class kind;
};

// Compared over all code points: `tokenizers` 0.23 (Unicode 16) against Unicode 14, in increasing order.
constexpr Range kDiffering[] = {
    {0x180E, 0x180E, Class::no_space}, {0x1C89, 0x1C8A, Class::letter},   {0xA7CB, 0xA7CD, Class::letter},
    {0xA7DA, 0xA7DC, Class::letter},   {0x105C0, 0x105F3, Class::letter}, {0x10D40, 0x10D49, Class::number},
    {0x10D4A, 0x10D65, Class::letter}, {0x10D6F, 0x10D85, Class::letter}, {0x10EC2, 0x10EC4, Class::letter},
    {0x1123F, 0x11240, Class::letter}, {0x11380, 0x11389, Class::letter}, {0x1138B, 0x1138B, Class::letter},
    {0x1138E, 0x1138E, Class::letter}, {0x11390, 0x113B5, Class::letter}, {0x113B7, 0x113B7, Class::letter},
    {0x113D1, 0x113D1, Class::letter}, {0x113D3, 0x113D3, Class::letter}, {0x116D0, 0x116E3, Class::number},
    {0x11BC0, 0x11BE0, Class::letter}, {0x11BF0, 0x11BF9, Class::number}, {0x11F02, 0x11F02, Class::letter},
    {0x11F04, 0x11F10, Class::letter}, {0x11F12, 0x11F33, Class::letter}, {0x11F50, 0x11F59, Class::number},
    {0x1342F, 0x1342F, Class::letter}, {0x13441, 0x13446, Class::letter}, {0x13460, 0x143FA, Class::letter},
    {0x16100, 0x1611D, Class::letter}, {0x16130, 0x16139, Class::number}, {0x16D40, 0x16D6C, Class::letter},
    {0x16D70, 0x16D79, Class::number}, {0x18CFF, 0x18CFF, Class::letter}, {0x1B132, 0x1B132, Class::letter},
    {0x1B155, 0x1B155, Class::letter}, {0x1CCF0, 0x1CCF9, Class::number}, {0x1D2C0, 0x1D2D3, Class::number},
    {0x1DF25, 0x1DF2A, Class::letter}, {0x1E030, 0x1E06D, Class::letter}, {0x1E4D0, 0x1E4EB, Class::letter},
    {0x1E4F0, 0x1E4F9, Class::number}, {0x1E5D0, 0x1E5ED, Class::letter}, {0x1E5F0, 0x1E5F0, Class::letter},
    {0x1E5F1, 0x1E5FA, Class::number}, {0x2B739, 0x2B739, Class::letter}, {0x2EBF0, 0x2EE5D, Class::letter},
    {0x31350, 0x323AF, Class::letter},
};

// A stand-in of the same length in UTF-8: three bytes below U+10000, four above.
std::string_view stand_in(const Range& range) {
  const bool four_bytes = range.first >= 0x10000;
  switch (range.kind) {
    case Class::letter:
      return four_bytes ? "\xF0\xA0\x80\x80" : "\xE4\xB8\x80";  // U+20000, U+4E00
    case Class::number:
      return four_bytes ? "\xF0\x9D\x9F\x8E" : "\xEF\xBC\x90";  // U+1D7CE, U+FF10
    case Class::no_space:
      break;
  }
  return "\xE2\x80\x8B";  // U+200B: a format character, as U+180E is
}

const Range* find_range(char32_t code_point) {
  const auto* range = std::lower_bound(std::begin(kDiffering), std::end(kDiffering), code_point,
                                       [](const Range& r, char32_t c) { return r.last < c; });
  return range != std::end(kDiffering) && range->first <= code_point ? range : nullptr;
}

// The bytes that the differing characters begin with.
bool may_begin_differing(char byte) {
  return byte == '\xE1' || byte == '\xEA' || byte == '\xF0';
}

}  // namespace

std::optional<std::string> with_unicode_stand_ins(std::string_view text) {
  std::optional<std::string> result;
  for (size_t at = 0; at < text.size(); ++at) {
    if (!may_begin_differing(text[at])) continue;
    const Utf8Char character = decode_utf8(text.substr(at));
    if (const Range* range = find_range(character.code_point)) {
      if (!result) result.emplace(text);
      result->replace(at, character.length, stand_in(*range));
    }
  }
  return result;
}

}  // namespace poplens
