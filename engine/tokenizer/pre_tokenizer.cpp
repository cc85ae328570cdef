#include "engine/tokenizer/pre_tokenizer.h"

#include <utility>

#include "engine/base/json_reader.h"

namespace poplens {
namespace {

// GPT-2's expression, which ByteLevel uses when the file asks for it ("use_regex").
constexpr const char* kByteLevelExpression =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

constexpr size_t kMaxSteps = 16;

void split_after(std::string_view text, std::string_view pattern, const PieceReader& read) {
  while (!text.empty()) {
    const size_t found = text.find(pattern);
    const size_t end = found == std::string_view::npos ? text.size() : found + pattern.size();
    read(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace

Result<void> PreTokenizer::add_expression(const std::string& expression, const std::string& name) {
  if (steps_.size() == kMaxSteps) return Error{name + ": the pre-tokenizer has too many steps"};
  auto splitter = RegexSplitter::compile(expression);
  if (!splitter) return Error{name + ": pre-tokenizer: " + splitter.error().message};
  steps_.emplace_back(std::move(splitter).value());
  return {};
}

Result<void> PreTokenizer::add_split(const nlohmann::json& node, const std::string& name, PreTokenizer& pre_tokenizer) {
  const nlohmann::json& pattern = json_member(node, "pattern");
  const std::string behaviour = json_string(node, "behavior");
  const bool inverted = json_bool(node, "invert", false);
  const std::string expression = json_string(pattern, "Regex");
  if (!expression.empty() && behaviour == "Isolated" && !inverted) {
    return pre_tokenizer.add_expression(expression, name);
  }
  const std::string text = json_string(pattern, "String");
  if (!text.empty() && behaviour == "MergedWithPrevious" && !inverted && pre_tokenizer.steps_.size() < kMaxSteps) {
    pre_tokenizer.steps_.emplace_back(CutAfter{text});
    return {};
  }
  return Error{name + ": the pre-tokenizer Split with the behaviour \"" + behaviour.substr(0, 40) +
               "\" is not supported (an expression, Isolated, and a string, MergedWithPrevious, are)"};
}

Result<void> PreTokenizer::add_steps(const nlohmann::json& node, const std::string& name, PreTokenizer& pre_tokenizer) {
  if (node.is_null()) return {};
  const std::string type = json_string(node, "type");
  // Pieces of bytes can't be cut by characters any more.
  if (pre_tokenizer.byte_level_) return Error{name + ": a pre-tokenizer step after ByteLevel is not supported"};
  if (type == "Sequence") {
    const nlohmann::json& steps = json_member(node, "pretokenizers");
    if (!steps.is_array()) return Error{name + ": the pre-tokenizer Sequence has no \"pretokenizers\""};
    for (const nlohmann::json& step : steps) POPLENS_CHECK(add_steps(step, name, pre_tokenizer));
    return {};
  }
  if (type == "Split") return add_split(node, name, pre_tokenizer);
  if (type == "ByteLevel") {
    if (json_bool(node, "add_prefix_space", true)) {
      return Error{name + ": the pre-tokenizer ByteLevel with add_prefix_space is not supported"};
    }
    pre_tokenizer.byte_level_ = true;
    if (json_bool(node, "use_regex", true)) return pre_tokenizer.add_expression(kByteLevelExpression, name);
    return {};
  }
  return Error{name + ": the pre-tokenizer \"" + type.substr(0, 40) + "\" is not supported (Split and ByteLevel are)"};
}

Result<PreTokenizer> PreTokenizer::from_json(const nlohmann::json& node, const std::string& name) {
  PreTokenizer pre_tokenizer;
  POPLENS_CHECK(add_steps(node, name, pre_tokenizer));
  return pre_tokenizer;
}

void PreTokenizer::split_from(size_t step, std::string_view text, const PieceReader& read) const {
  if (step == steps_.size()) {
    if (!text.empty()) read(text);
    return;
  }
  const PieceReader next = [&](std::string_view piece) { split_from(step + 1, piece, read); };
  if (const auto* after = std::get_if<CutAfter>(&steps_[step])) {
    split_after(text, after->pattern, next);
  } else {
    std::get<RegexSplitter>(steps_[step]).split(text, step + 1 == steps_.size() ? read : next);
  }
}

}  // namespace poplens
