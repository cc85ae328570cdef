// From tokens back to text: the "decoder" of a tokenizer.json.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/base/result.h"
#include "engine/tokenizer/byte_alphabet.h"

namespace poplens {

class TokenDecoder {
 public:
  // ByteLevel, or a Sequence of Replace, ByteFallback and Fuse in that order. `name` is the file's.
  static Result<TokenDecoder> from_json(const nlohmann::json& node, const std::string& name);

  // Whether tokens are spelled in the byte alphabet.
  bool byte_level() const { return byte_level_; }

  // The bytes that one token gives. `spelling` is the file's own.
  std::string token_bytes(std::string_view spelling) const;

  // Whether the token is one byte of a character that the vocabulary lacks: <0xHH>.
  bool is_single_byte(std::string_view spelling) const;

 private:
  ByteAlphabet alphabet_;
  std::vector<std::pair<std::string, std::string>> replacements_;
  bool byte_level_ = false;
  bool byte_fallback_ = false;
};

}  // namespace poplens
