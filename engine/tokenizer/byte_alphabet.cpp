#include "engine/tokenizer/byte_alphabet.h"

#include "engine/tokenizer/utf8.h"

namespace poplens {

ByteAlphabet::ByteAlphabet() {
  byte_of_.fill(-1);
  size_t next = 0x100;
  for (size_t byte = 0; byte < 256; ++byte) {
    const bool itself = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    byte_of_[itself ? byte : next++] = static_cast<int16_t>(byte);
  }
}

std::optional<std::string> ByteAlphabet::to_bytes(std::string_view token) const {
  std::string bytes;
  bytes.reserve(token.size());
  while (!token.empty()) {
    const Utf8Char character = decode_utf8(token);
    if (character.status != Utf8Status::valid || character.code_point >= kEnd) return std::nullopt;
    const int16_t byte = byte_of_[character.code_point];
    if (byte < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(static_cast<uint8_t>(byte)));
    token.remove_prefix(character.length);
  }
  return bytes;
}

}  // namespace poplens
