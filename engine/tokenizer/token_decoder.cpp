#include "engine/tokenizer/token_decoder.h"

#include <optional>

#include "engine/base/json_reader.h"

namespace poplens {
namespace {

// The value of "<0xHH>", as the reference reads it: six characters, two hexadecimal digits of either case.
std::optional<char> single_byte(std::string_view spelling) {
  if (spelling.size() != 6 || !spelling.starts_with("<0x") || spelling[5] != '>') return std::nullopt;
  int value = 0;
  for (const char digit : spelling.substr(3, 2)) {
    const bool decimal = digit >= '0' && digit <= '9';
    const char lower = static_cast<char>(digit | 0x20);
    if (!decimal && (lower < 'a' || lower > 'f')) return std::nullopt;
    value = value * 16 + (decimal ? digit - '0' : lower - 'a' + 10);
  }
  return static_cast<char>(static_cast<unsigned char>(value));
}

void replace_all(std::string& text, const std::string& pattern, const std::string& content) {
  for (size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + content.size())) {
    text.replace(at, pattern.size(), content);
  }
}

}  // namespace

Result<TokenDecoder> TokenDecoder::from_json(const nlohmann::json& node, const std::string& name) {
  TokenDecoder decoder;
  const std::string type = json_string(node, "type");
  if (type == "ByteLevel") {
    decoder.byte_level_ = true;
    return decoder;
  }
  const nlohmann::json& steps = json_member(node, "decoders");
  if (type != "Sequence" || !steps.is_array()) {
    return Error{name + ": the decoder \"" + type.substr(0, 40) + "\" is not supported (ByteLevel and Sequence are)"};
  }
  bool fused = false;
  for (const nlohmann::json& step : steps) {
    const std::string kind = json_string(step, "type");
    const std::string pattern = json_string(json_member(step, "pattern"), "String");
    if (fused) return Error{name + ": a decoder step after Fuse is not supported"};
    if (kind == "Replace" && !pattern.empty() && !decoder.byte_fallback_) {
      decoder.replacements_.emplace_back(pattern, json_string(step, "content"));
    } else if (kind == "ByteFallback") {
      decoder.byte_fallback_ = true;
    } else if (kind == "Fuse") {
      fused = true;
    } else {
      return Error{name + ": the decoder step \"" + kind.substr(0, 40) + "\" is not supported here"};
    }
  }
  return decoder;
}

std::string TokenDecoder::token_bytes(std::string_view spelling) const {
  if (byte_level_) return alphabet_.to_bytes(spelling).value_or(std::string(spelling));
  std::string text(spelling);
  for (const auto& [pattern, content] : replacements_) replace_all(text, pattern, content);
  if (byte_fallback_) {
    if (const auto byte = single_byte(text)) return std::string(1, *byte);
  }
  return text;
}

bool TokenDecoder::is_single_byte(std::string_view spelling) const {
  return byte_fallback_ && single_byte(spelling).has_value();
}

}  // namespace poplens
