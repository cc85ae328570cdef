// Byte-pair encoding of one piece of text: neighbouring symbols merge, the lowest rank first, leftmost on ties.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/tokenizer/string_arena.h"
#include "engine/tokenizer/token_index.h"
#include "engine/tokenizer/tokenizer_file.h"

namespace poplens {

class BytePairEncoder {
 public:
  // Memory that encode() reuses from piece to piece; one per thread at a time.
  struct Scratch;

  // From the vocabulary, the merges and the "model" object of `file`. With `byte_level` the first symbols are the
  // bytes of a piece and the vocabulary is spelled in the byte alphabet; else they are its characters, and one that
  // the vocabulary lacks becomes its bytes' tokens <0xHH> ("byte_fallback") or the unknown token.
  static Result<BytePairEncoder> build(const TokenizerFile& file, bool byte_level, const std::string& name);

  // Appends the tokens of `piece` (valid UTF-8) to `ids`. Time grows with n log n, whatever the piece.
  void encode(std::string_view piece, std::vector<int32_t>& ids, Scratch& scratch) const;

  // Ids are below this.
  size_t size() const { return tokens_.size(); }

  // What the token stands for: its bytes where byte level, else the file's spelling. Empty for an id without token.
  std::string_view token(int32_t id) const { return tokens_[static_cast<size_t>(id)]; }

  // The token with this text in the same spelling; kNoToken if there is none.
  int32_t find(std::string_view token) const { return index_.find(tokens_, token); }

  // Which bytes stand before `mark` inside a token. Behind any other byte no merge reaches across the beginning of a
  // `mark`: a piece may be cut there and gives the same tokens.
  std::array<bool, 256> bytes_before(std::string_view mark) const;

 private:
  // What is known of a piece that is itself a token: filled as pieces come, the same whoever fills it.
  enum class Whole : uint8_t { unknown, one_token, several };

  Result<void> read_options(const TokenizerFile& file, const std::string& name);
  Result<void> read_vocabulary(const TokenizerFile& file, const std::string& name);
  Result<void> read_merges(const TokenizerFile& file, const std::string& name);
  void first_symbols(std::string_view piece, Scratch& scratch) const;
  void merge_symbols(Scratch& scratch) const;

  StringArena tokens_;
  TokenIndex index_;
  MergeTable merges_;
  std::array<int32_t, 256> unit_tokens_{};      // of a first symbol of one byte; kNoToken where there is none
  std::array<int32_t, 256> fallback_tokens_{};  // <0xHH>, likewise
  std::unique_ptr<std::atomic<Whole>[]> whole_;
  int32_t unknown_ = kNoToken;
  bool byte_level_ = false;
  bool byte_fallback_ = false;
  bool fuse_unknown_ = false;
  bool ignore_merges_ = false;
};

struct BytePairEncoder::Scratch {
  struct Symbol {
    int32_t token;     // kNoToken once merged into the symbol before
    int32_t previous;  // -1 at the ends
    int32_t next;
  };
  struct Candidate {
    uint32_t rank;
    int32_t left;  // index of the left symbol
    int32_t merged;
  };

  std::vector<Symbol> symbols;
  std::vector<Candidate> heap;
};

}  // namespace poplens
