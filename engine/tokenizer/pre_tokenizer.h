// How normalised text is cut into the pieces that BPE works on: the "pre_tokenizer" of a tokenizer.json.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/base/result.h"
#include "engine/tokenizer/regex_splitter.h"

namespace poplens {

class PreTokenizer {
 public:
  // Split by an expression (behaviour Isolated) or after a string (MergedWithPrevious), ByteLevel, a Sequence of
  // them, or null (one piece). `name` is the file's.
  static Result<PreTokenizer> from_json(const nlohmann::json& node, const std::string& name);

  // Whether the pieces' bytes, not their characters, are the first symbols of BPE.
  bool byte_level() const { return byte_level_; }

  // Hands the pieces of `text`, valid UTF-8, to `read` in order; none is empty.
  void split(std::string_view text, const PieceReader& read) const { split_from(0, text, read); }

 private:
  struct CutAfter {
    std::string pattern;
  };

  static Result<void> add_steps(const nlohmann::json& node, const std::string& name, PreTokenizer& pre_tokenizer);
  static Result<void> add_split(const nlohmann::json& node, const std::string& name, PreTokenizer& pre_tokenizer);
  Result<void> add_expression(const std::string& expression, const std::string& name);
  void split_from(size_t step, std::string_view text, const PieceReader& read) const;

  std::vector<std::variant<RegexSplitter, CutAfter>> steps_;
  bool byte_level_ = false;
};

}  // namespace poplens
