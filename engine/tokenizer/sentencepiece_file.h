// SentencePiece's `tokenizer.model`, read into the same parts as a tokenizer.json.
//
// The format is Google's sentencepiece_model.proto. The file is read here and its pieces are encoded by
// BytePairEncoder, because the library has neither of two things that are needed: it cannot leave a user-defined piece
// that somebody typed as letters, and it encodes Gemma-3's vocabulary at a fraction of the speed. Its ids are what the
// tests compare with.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/tokenizer/tokenizer_file.h"

namespace poplens {

// A model as Gemma's: BPE whose merges follow the pieces' scores (of equal ones the leftmost), no normalisation but
// spaces as U+2581, and none added or taken away. `name` is the file's, for errors. Refused, with a sentence: any other
// kind of model, a damaged file, normal pieces past 256 bytes (merges are searched for in every cut of a piece).
//
// Control pieces are special tokens, and so are the marks of turns and pictures that the file calls user-defined:
// typed, they stay letters. All other user-defined pieces (runs of spaces and newlines, tags) are found in any text,
// the longest first, and never merge.
Result<TokenizerFile> parse_sentencepiece_file(std::string_view bytes, const std::string& name);

// The tokens behind the pieces that a tokenizer_config.json ("added_tokens_decoder") or an added_tokens.json beside the
// file names, Gemma-3's <image_soft_token> among them. They are special.
Result<void> add_tokens_of_folder(const std::filesystem::path& model_folder, TokenizerFile& file);

}  // namespace poplens
