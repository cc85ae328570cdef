#include "engine/weights/message_text.h"

namespace poplens {

std::string in_quotes(std::string_view text) {
  constexpr size_t kMaxBytes = 100;
  std::string out = "'";
  for (const char c : text.substr(0, kMaxBytes)) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    out += control ? '?' : c;
  }
  if (text.size() > kMaxBytes) {
    // Half a UTF-8 character at the cut would spoil the whole message.
    while (static_cast<unsigned char>(out.back()) >= 0x80) out.pop_back();
    out += "...";
  }
  return out + "'";
}

std::string shape_text(std::span<const int64_t> shape) {
  constexpr size_t kMaxDims = 8;
  std::string out = "[";
  for (size_t i = 0; i < shape.size() && i < kMaxDims; ++i) {
    if (i > 0) out += ", ";
    out += std::to_string(shape[i]);
  }
  if (shape.size() > kMaxDims) out += ", ...";
  return out + "]";
}

}  // namespace poplens
