// GPT-2's byte alphabet: the printable character that stands for each byte in a byte-level vocabulary.
// Bytes 33..126, 161..172 and 174..255 stand for themselves as code points; the other 68, in increasing order, are
// U+0100, U+0101, ...
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace poplens {

class ByteAlphabet {
 public:
  ByteAlphabet();

  // The bytes that `token` spells, or nothing if one of its characters is not in the alphabet.
  std::optional<std::string> to_bytes(std::string_view token) const;

 private:
  static constexpr size_t kEnd = 0x100 + 68;
  std::array<int16_t, kEnd> byte_of_;  // by code point; -1 where no byte has it
};

}  // namespace poplens
