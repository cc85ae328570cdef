#include "engine/tokenizer/utf8.h"

#include <cstdint>

namespace poplens {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// How many bytes follow a lead byte, and the range of the first of them (the later ones are always 80..BF).
struct LeadByte {
  size_t following = 0;
  uint8_t first_low = 0x80;
  uint8_t first_high = 0xBF;
};

LeadByte lead_byte(uint8_t byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {1};
  if (byte == 0xE0) return {2, 0xA0, 0xBF};
  if (byte == 0xED) return {2, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {2};
  if (byte == 0xF0) return {3, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {3};
  if (byte == 0xF4) return {3, 0x80, 0x8F};
  return {};
}

}  // namespace

Utf8Char decode_utf8(std::string_view bytes) {
  const auto first = static_cast<uint8_t>(bytes[0]);
  if (first < 0x80) return {first, 1, Utf8Status::valid};
  const LeadByte lead = lead_byte(first);
  if (lead.following == 0) return {0, 1, Utf8Status::invalid};

  char32_t code_point = first & (0x3Fu >> lead.following);
  for (size_t k = 1; k <= lead.following; ++k) {
    if (k == bytes.size()) return {0, k, Utf8Status::truncated};
    const auto byte = static_cast<uint8_t>(bytes[k]);
    const uint8_t low = k == 1 ? lead.first_low : uint8_t{0x80};
    const uint8_t high = k == 1 ? lead.first_high : uint8_t{0xBF};
    if (byte < low || byte > high) return {0, k, Utf8Status::invalid};
    code_point = (code_point << 6) | (byte & 0x3Fu);
  }
  return {code_point, lead.following + 1, Utf8Status::valid};
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto push = [&text](char32_t byte) { text.push_back(static_cast<char>(static_cast<uint8_t>(byte))); };
  if (code_point < 0x80) {
    push(code_point);
  } else if (code_point < 0x800) {
    push(0xC0 | (code_point >> 6));
    push(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    push(0xE0 | (code_point >> 12));
    push(0x80 | ((code_point >> 6) & 0x3F));
    push(0x80 | (code_point & 0x3F));
  } else {
    push(0xF0 | (code_point >> 18));
    push(0x80 | ((code_point >> 12) & 0x3F));
    push(0x80 | ((code_point >> 6) & 0x3F));
    push(0x80 | (code_point & 0x3F));
  }
}

bool is_valid_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const Utf8Char character = decode_utf8(bytes);
    if (character.status != Utf8Status::valid) return false;
    bytes.remove_prefix(character.length);
  }
  return true;
}

std::string replace_invalid_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const Utf8Char character = decode_utf8(bytes);
    text += character.status == Utf8Status::valid ? bytes.substr(0, character.length) : kReplacement;
    bytes.remove_prefix(character.length);
  }
  return text;
}

}  // namespace poplens
