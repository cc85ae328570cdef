#include "engine/tokenizer/chat_render.h"

#include <algorithm>

#include "engine/tokenizer/utf8.h"

namespace poplens {
namespace {

bool is_python_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

}  // namespace

void RenderedChat::add_text(std::string_view text) {
  if (text.empty()) return;
  if (pieces.empty() || pieces.back().kind != PromptPiece::Kind::text) pieces.push_back({PromptPiece::Kind::text, {}});
  pieces.back().text += text;
}

void RenderedChat::add_special(std::string_view token) {
  pieces.push_back({PromptPiece::Kind::special, std::string(token)});
}

void RenderedChat::add_image(std::string_view placeholder) {
  pieces.push_back({PromptPiece::Kind::image, std::string(placeholder)});
}

std::string joined_text(const Message& message) {
  std::string text;
  for (const MessagePart& part : message.parts) {
    if (part.kind == MessagePart::Kind::text) text += part.text;
  }
  return text;
}

bool has_image(const Message& message) {
  return std::any_of(message.parts.begin(), message.parts.end(),
                     [](const MessagePart& part) { return part.kind == MessagePart::Kind::image; });
}

std::string_view strip(std::string_view text) {
  size_t begin = text.size();
  size_t end = 0;
  for (size_t at = 0; at < text.size();) {
    const Utf8Char character = decode_utf8(text.substr(at));
    const bool space = character.status == Utf8Status::valid && is_python_space(character.code_point);
    if (!space) begin = std::min(begin, at);
    at += character.length;
    if (!space) end = at;
  }
  return begin < end ? text.substr(begin, end - begin) : std::string_view{};
}

}  // namespace poplens
