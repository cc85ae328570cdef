#include "engine/tokenizer/normalizer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uniset.h>

#include "engine/base/json_reader.h"

namespace poplens {
namespace {

// U+0300 is the first character that normalisation can touch; all before it are encoded with lead bytes below 0xCC.
bool may_need_nfc(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xCC; });
}

const icu::UnicodeSet& characters_of_unicode_9() {
  static const icu::UnicodeSet set = [] {
    UErrorCode status = U_ZERO_ERROR;
    icu::UnicodeSet characters(u"[:age=9.0:]", status);
    characters.freeze();
    return characters;
  }();
  return set;
}

std::string replace_all(std::string_view text, std::string_view pattern, std::string_view content) {
  std::string result;
  result.reserve(text.size() + text.size() / 2);
  for (size_t at = 0; at < text.size();) {
    const size_t found = std::min(text.find(pattern, at), text.size());
    result += text.substr(at, found - at);
    if (found < text.size()) result += content;
    at = found + pattern.size();
  }
  return result;
}

}  // namespace

std::string to_nfc(std::string_view text) {
  if (text.size() > std::numeric_limits<int32_t>::max()) return std::string(text);  // ICU counts in 32 bits
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(status);
  if (U_FAILURE(status)) return std::string(text);
  const icu::FilteredNormalizer2 filtered(*nfc, characters_of_unicode_9());
  std::string result;
  icu::StringByteSink<std::string> sink(&result, static_cast<int32_t>(text.size()));
  filtered.normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())), sink, nullptr, status);
  return U_SUCCESS(status) ? result : std::string(text);
}

Result<void> Normalizer::add_steps(const nlohmann::json& node, const std::string& name, Normalizer& normalizer) {
  if (node.is_null()) return {};
  const std::string type = json_string(node, "type");
  if (type == "Sequence") {
    const nlohmann::json& steps = json_member(node, "normalizers");
    if (!steps.is_array()) return Error{name + ": the normalizer Sequence has no \"normalizers\""};
    for (const nlohmann::json& step : steps) POPLENS_CHECK(add_steps(step, name, normalizer));
    return {};
  }
  if (type == "NFC") {
    normalizer.steps_.emplace_back(Nfc{});
    return {};
  }
  const std::string pattern = json_string(json_member(node, "pattern"), "String");
  if (type == "Replace" && !pattern.empty() && json_member(node, "content").is_string()) {
    normalizer.steps_.emplace_back(Replace{pattern, json_string(node, "content")});
    return {};
  }
  return Error{name + ": the normalizer \"" + type.substr(0, 40) +
               "\" is not supported (NFC and Replace of a string are)"};
}

Result<Normalizer> Normalizer::from_json(const nlohmann::json& node, const std::string& name) {
  Normalizer normalizer;
  POPLENS_CHECK(add_steps(node, name, normalizer));
  return normalizer;
}

std::string_view Normalizer::apply(std::string_view text, std::string& storage) const {
  for (const auto& step : steps_) {
    if (const auto* replace = std::get_if<Replace>(&step)) {
      if (text.find(replace->pattern) == std::string_view::npos) continue;
      storage = replace_all(text, replace->pattern, replace->content);
    } else {
      if (!may_need_nfc(text)) continue;
      storage = to_nfc(text);
    }
    text = storage;
  }
  return text;
}

}  // namespace poplens
