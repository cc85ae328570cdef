// Text to token ids and back, as the `tokenizers` package does it with the same tokenizer.json, or sentencepiece with
// the same tokenizer.model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace poplens {

struct TokenizerFile;

// A handle on an immutable tokenizer: cheap to copy, safe to use from several threads at once.
class Tokenizer {
 public:
  // Whether special tokens that are spelled in a text become those tokens, or stay the letters they are. Added tokens
  // that are not special (`<think>`, `<tool_call>`) are always recognised, as in the reference.
  enum class Special { text, parse };

  // `tokenizer.json` of a model folder, else its SentencePiece model `tokenizer.model` (they give the same ids; the
  // first has all tokens that the model was taught later), and `tokenizer_config.json` where there is one. Fails with
  // one sentence when a file is damaged or asks for something that is not supported.
  static Result<Tokenizer> from_folder(const std::filesystem::path& model_folder);

  // The same from the text of a tokenizer.json alone; `name` stands for the file in errors.
  static Result<Tokenizer> from_json(std::string_view json, const std::string& name);

  // The same from the bytes of a tokenizer.model alone.
  static Result<Tokenizer> from_sentencepiece(std::string_view bytes, const std::string& name);

  // The ids of `text`, without BOS. Invalid UTF-8 is read as U+FFFD (as Python's errors="replace"). Time grows with
  // n log n, whatever the text.
  std::vector<int32_t> encode(std::string_view text, Special special) const;

  // The text of `ids`, always valid UTF-8. Ids without a token give nothing; special tokens only if asked for.
  std::string decode(std::span<const int32_t> ids, bool show_special) const;

  // The bytes that one token adds to the text, for streaming (Utf8Stream) and stop strings: often a whole word,
  // sometimes a part of a character. Empty for an id without a token.
  std::string token_bytes(int32_t id) const;

  // The token whose spelling in the tokenizer.json is `content`: an added token, or else one of the vocabulary.
  std::optional<int32_t> token_id(std::string_view content) const;

  // One more than the largest id. A model may have more embedding rows than this.
  int32_t vocab_size() const;
  bool is_special(int32_t id) const;

  // The token that begins a sequence, if the model has one, and whether the reference puts it before a text by itself.
  std::optional<int32_t> bos_id() const;
  bool adds_bos() const;

 private:
  struct Parts;

  explicit Tokenizer(Parts parts);
  static Result<Parts> build(const TokenizerFile& file, const std::string& name);

  std::shared_ptr<const Parts> parts_;
};

}  // namespace poplens
