// What a `tokenizer.json` says, before anything is built from it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/base/result.h"
#include "engine/tokenizer/string_arena.h"

namespace poplens {

struct AddedToken {
  int32_t id = 0;
  std::string content;
  bool special = false;
  bool normalized = false;  // looked for in the normalised text, else in the text as typed
};

struct TokenizerFile {
  StringArena vocabulary;         // by id, in the file's own spelling; empty where no token has the id
  StringArena merge_parts;        // left and right of each merge in turn, by rank
  std::vector<AddedToken> added;  // in the file's order
  nlohmann::json model;           // the other members of "model"
  nlohmann::json normalizer;      // each null where the file has none
  nlohmann::json pre_tokenizer;
  nlohmann::json post_processor;
  nlohmann::json decoder;
};

// Reads the text of a tokenizer.json; `name` is the file's, for errors. The vocabulary and merges go straight into
// their arenas. Refused: a model other than BPE, ids that are negative, doubled or past 4 million, token texts past
// 4,096 bytes, added tokens with lstrip, rstrip or single_word.
Result<TokenizerFile> parse_tokenizer_file(std::string_view json, const std::string& name);

}  // namespace poplens
