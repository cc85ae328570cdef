// What a `tokenizer.json` (or a SentencePiece model) says, before anything is built from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/base/result.h"
#include "engine/tokenizer/string_arena.h"

namespace poplens {

inline constexpr size_t kMaxTokens = 1 << 22;   // a vocabulary's, and one more than the largest id
inline constexpr size_t kMaxTokenBytes = 4096;  // of a token's text

struct AddedToken {
  int32_t id = 0;
  std::string content;
  bool special = false;
  bool normalized = false;  // looked for in the normalised text, else in the text as typed
};

// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's values move without throwing, but do not say so.
struct TokenizerFile {
  StringArena vocabulary;             // by id, in the file's own spelling; empty where no token has the id
  StringArena merge_parts;            // left and right of each merge in turn, by rank
  std::vector<uint32_t> merge_ranks;  // of each merge, where merges share them; empty: its own place
  std::vector<AddedToken> added;      // in the file's order
  nlohmann::json model;               // the other members of "model"
  nlohmann::json normalizer;          // each null where the file has none
  nlohmann::json pre_tokenizer;
  nlohmann::json post_processor;
  nlohmann::json decoder;
  std::optional<int32_t> bos;  // where the post_processor does not tell
};

// Reads the text of a tokenizer.json; `name` is the file's, for errors. The vocabulary and merges go straight into
// their arenas. Refused: a model other than BPE, ids that are negative, doubled or past 4 million, token texts past
// 4,096 bytes, added tokens with lstrip, rstrip or single_word.
Result<TokenizerFile> parse_tokenizer_file(std::string_view json, const std::string& name);

// An entry of "added_tokens".
Result<AddedToken> read_added_token(const nlohmann::json& node, const std::string& name);

}  // namespace poplens
