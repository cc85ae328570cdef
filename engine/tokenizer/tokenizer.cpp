#include "engine/tokenizer/tokenizer.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "engine/base/json_reader.h"
#include "engine/tokenizer/added_token_matcher.h"
#include "engine/tokenizer/bpe.h"
#include "engine/tokenizer/byte_alphabet.h"
#include "engine/tokenizer/normalizer.h"
#include "engine/tokenizer/pre_tokenizer.h"
#include "engine/tokenizer/sentencepiece_file.h"
#include "engine/tokenizer/token_decoder.h"
#include "engine/tokenizer/tokenizer_file.h"
#include "engine/tokenizer/utf8.h"

namespace poplens {
namespace {

constexpr size_t kMaxTokenizerBytes = 256u << 20;  // Gemma-3's has 33 MB
constexpr size_t kMaxPiecesBytes = 32u << 20;      // Gemma-3's has 5 MB
constexpr size_t kMaxConfigBytes = 16u << 20;      // Gemma-3's has 1.2 MB

// What SentencePiece writes for a space.
constexpr std::string_view kWordMark = "\xE2\x96\x81";  // U+2581

// Cuts `text` before each mark, except behind the bytes where `joined` holds.
void split_words(std::string_view text, const std::array<bool, 256>& joined, const PieceReader& read) {
  size_t begin = 0;
  for (size_t at = text.find(kWordMark); at != std::string_view::npos; at = text.find(kWordMark, at + 1)) {
    if (at == begin || joined[static_cast<uint8_t>(text[at - 1])]) continue;
    read(text.substr(begin, at - begin));
    begin = at;
  }
  if (begin < text.size()) read(text.substr(begin));
}

// The token that a TemplateProcessing step puts before a single text.
std::optional<int32_t> leading_token(const nlohmann::json& processor) {
  for (const nlohmann::json& step : json_member(processor, "processors")) {
    if (const auto token = leading_token(step)) return token;
  }
  const nlohmann::json& single = json_member(processor, "single");
  if (json_string(processor, "type") != "TemplateProcessing" || !single.is_array() || single.empty()) return {};
  const std::string name = json_string(json_member(single[0], "SpecialToken"), "id");
  const nlohmann::json& ids = json_member(json_member(json_member(processor, "special_tokens"), name.c_str()), "ids");
  if (!ids.is_array() || ids.size() != 1 || !ids[0].is_number_unsigned()) return {};
  const auto id = ids[0].get<uint64_t>();
  return id <= INT32_MAX ? std::optional(static_cast<int32_t>(id)) : std::nullopt;
}

// A token named in tokenizer_config.json: its text, or an object that holds it.
std::string named_token(const nlohmann::json& config, const char* key) {
  const nlohmann::json& member = json_member(config, key);
  return member.is_object() ? json_string(member, "content") : json_string(config, key);
}

}  // namespace

struct Tokenizer::Parts {
  struct Added {
    std::string spelling;  // normalised where it is looked for in normalised text
    std::string bytes;     // what it adds to a text
    bool special = false;
  };

  Normalizer normalizer;
  PreTokenizer pre_tokenizer;
  BytePairEncoder bpe;
  TokenDecoder decoder;
  AddedTokenMatcher raw_matcher;         // in the text as typed
  AddedTokenMatcher normalized_matcher;  // in the normalised text between those
  std::unordered_map<int32_t, Added> added;
  std::unordered_map<std::string, int32_t> added_ids;
  int32_t size = 0;
  std::optional<std::array<bool, 256>> joined_words;  // behind which bytes no word begins; if pieces are cut into words
  std::optional<int32_t> bos;
  bool adds_bos = false;

  Result<void> add(const AddedToken& token, const std::string& name);
  void read_config(const nlohmann::json& config);
  void encode_pieces(std::string_view text, std::vector<int32_t>& ids, BytePairEncoder::Scratch& scratch) const;
};

Result<void> Tokenizer::Parts::add(const AddedToken& token, const std::string& name) {
  const auto id = static_cast<size_t>(token.id);
  const auto spelled = [&] { return std::to_string(token.id) + " of added_tokens"; };
  if (added.contains(token.id) || added_ids.contains(token.content)) {
    return Error{name + ": the token " + spelled() + " or its text stands there twice"};
  }
  const bool in_vocabulary = id < bpe.size() && !bpe.token(token.id).empty();
  std::string model_spelling = token.content;
  if (pre_tokenizer.byte_level()) model_spelling = decoder.token_bytes(token.content);
  if (in_vocabulary && bpe.token(token.id) != model_spelling) {
    return Error{name + ": the token " + spelled() + " has another text in model.vocab"};
  }
  std::string storage;
  const std::string_view spelling = token.normalized ? normalizer.apply(token.content, storage) : token.content;
  added[token.id] = {std::string(spelling), decoder.token_bytes(spelling), token.special};
  added_ids[token.content] = token.id;
  if (!spelling.empty()) (token.normalized ? normalized_matcher : raw_matcher).add(spelling, token.id);
  size = std::max(size, token.id + 1);
  return {};
}

void Tokenizer::Parts::read_config(const nlohmann::json& config) {
  const std::string name = named_token(config, "bos_token");
  if (bos || name.empty()) return;
  if (const auto found = added_ids.find(name); found != added_ids.end()) bos = found->second;
  adds_bos = bos && json_bool(config, "add_bos_token", false);
}

void Tokenizer::Parts::encode_pieces(std::string_view text, std::vector<int32_t>& ids,
                                     BytePairEncoder::Scratch& scratch) const {
  const PieceReader encode_piece = [&](std::string_view piece) { bpe.encode(piece, ids, scratch); };
  pre_tokenizer.split(text, [&](std::string_view piece) {
    if (joined_words) {
      split_words(piece, *joined_words, encode_piece);
    } else {
      encode_piece(piece);
    }
  });
}

Result<Tokenizer::Parts> Tokenizer::build(const TokenizerFile& file, const std::string& name) {
  Parts parts;
  POPLENS_TRY(normalizer, Normalizer::from_json(file.normalizer, name));
  parts.normalizer = std::move(normalizer);
  POPLENS_TRY(pre_tokenizer, PreTokenizer::from_json(file.pre_tokenizer, name));
  parts.pre_tokenizer = std::move(pre_tokenizer);
  POPLENS_TRY(decoder, TokenDecoder::from_json(file.decoder, name));
  parts.decoder = std::move(decoder);
  const bool byte_level = parts.pre_tokenizer.byte_level();
  if (parts.decoder.byte_level() != byte_level) {
    return Error{name + ": of pre_tokenizer and decoder only one is ByteLevel"};
  }
  POPLENS_TRY(bpe, BytePairEncoder::build(file, byte_level, name));
  parts.bpe = std::move(bpe);
  parts.size = static_cast<int32_t>(parts.bpe.size());
  for (const AddedToken& token : file.added) POPLENS_CHECK(parts.add(token, name));

  // Without a pre-tokenizer the whole text is one piece; words that no merge joins can be encoded one by one.
  if (!byte_level && parts.bpe.find(kWordMark) != kNoToken) parts.joined_words = parts.bpe.bytes_before(kWordMark);
  parts.bos = file.bos ? file.bos : leading_token(file.post_processor);
  parts.adds_bos = parts.bos.has_value();
  return parts;
}

Tokenizer::Tokenizer(Parts parts) : parts_(std::make_shared<const Parts>(std::move(parts))) {}

Result<Tokenizer> Tokenizer::from_json(std::string_view json, const std::string& name) {
  POPLENS_TRY(file, parse_tokenizer_file(json, name));
  POPLENS_TRY(parts, build(file, name));
  return Tokenizer(std::move(parts));
}

Result<Tokenizer> Tokenizer::from_sentencepiece(std::string_view bytes, const std::string& name) {
  POPLENS_TRY(file, parse_sentencepiece_file(bytes, name));
  POPLENS_TRY(parts, build(file, name));
  return Tokenizer(std::move(parts));
}

Result<Tokenizer> Tokenizer::from_folder(const std::filesystem::path& model_folder) {
  std::error_code missing;
  const std::filesystem::path pieces_path = model_folder / "tokenizer.model";
  std::filesystem::path path = model_folder / "tokenizer.json";
  const bool from_pieces = !std::filesystem::exists(path, missing) && std::filesystem::exists(pieces_path, missing);
  if (from_pieces) path = pieces_path;
  POPLENS_TRY(bytes, read_text_file(path, from_pieces ? kMaxPiecesBytes : kMaxTokenizerBytes));
  auto read = from_pieces ? parse_sentencepiece_file(bytes, path.string()) : parse_tokenizer_file(bytes, path.string());
  POPLENS_TRY(file, std::move(read));
  if (from_pieces) POPLENS_CHECK(add_tokens_of_folder(model_folder, file));
  POPLENS_TRY(parts, build(file, path.string()));
  const std::filesystem::path config_path = model_folder / "tokenizer_config.json";
  if (std::filesystem::exists(config_path, missing)) {
    POPLENS_TRY(config, read_bounded_json(config_path, kMaxConfigBytes));
    parts.read_config(config);
    if (file.bos) parts.adds_bos = json_bool(config, "add_bos_token", true);
  }
  return Tokenizer(std::move(parts));
}

std::vector<int32_t> Tokenizer::encode(std::string_view text, Special special) const {
  std::string valid;
  if (!is_valid_utf8(text)) {
    valid = replace_invalid_utf8(text);
    text = valid;
  }
  const Parts& parts = *parts_;
  const auto is_text = [&](int32_t id) { return special == Special::text && is_special(id); };
  std::vector<int32_t> ids;
  BytePairEncoder::Scratch scratch;
  std::string normalized;
  parts.raw_matcher.split(text, is_text, [&](std::string_view stretch, int32_t id) {
    if (id != kNoToken) {
      ids.push_back(id);
      return;
    }
    parts.normalized_matcher.split(parts.normalizer.apply(stretch, normalized), is_text,
                                   [&](std::string_view inner, int32_t inner_id) {
                                     if (inner_id != kNoToken) {
                                       ids.push_back(inner_id);
                                     } else {
                                       parts.encode_pieces(inner, ids, scratch);
                                     }
                                   });
  });
  return ids;
}

std::string Tokenizer::decode(std::span<const int32_t> ids, bool show_special) const {
  std::string text;
  std::string fallback_bytes;
  // The reference takes a run of single bytes as a whole: a character sequence, or one U+FFFD for each byte.
  const auto flush_fallback = [&] {
    if (is_valid_utf8(fallback_bytes)) {
      text += fallback_bytes;
    } else {
      for (size_t k = 0; k < fallback_bytes.size(); ++k) append_utf8(text, U'\uFFFD');
    }
    fallback_bytes.clear();
  };
  for (const int32_t id : ids) {
    if (id < 0 || id >= parts_->size || (!show_special && is_special(id))) continue;
    const auto added = parts_->added.find(id);
    const bool in_vocabulary = static_cast<size_t>(id) < parts_->bpe.size();
    if (added == parts_->added.end() && !in_vocabulary) continue;
    const std::string_view spelling = added != parts_->added.end() ? added->second.spelling : parts_->bpe.token(id);
    if (parts_->decoder.is_single_byte(spelling)) {
      fallback_bytes += token_bytes(id);
    } else {
      flush_fallback();
      text += token_bytes(id);
    }
  }
  flush_fallback();
  return is_valid_utf8(text) ? text : replace_invalid_utf8(text);
}

std::string Tokenizer::token_bytes(int32_t id) const {
  if (const auto added = parts_->added.find(id); added != parts_->added.end()) return added->second.bytes;
  if (id < 0 || static_cast<size_t>(id) >= parts_->bpe.size()) return {};
  const std::string_view token = parts_->bpe.token(id);
  return parts_->decoder.byte_level() ? std::string(token) : parts_->decoder.token_bytes(token);
}

std::optional<int32_t> Tokenizer::token_id(std::string_view content) const {
  const auto added = parts_->added_ids.find(std::string(content));
  if (added != parts_->added_ids.end()) return added->second;
  int32_t id = kNoToken;
  if (!parts_->pre_tokenizer.byte_level()) {
    id = parts_->bpe.find(content);
  } else if (const auto bytes = ByteAlphabet().to_bytes(content)) {
    id = parts_->bpe.find(*bytes);
  }
  return id == kNoToken ? std::nullopt : std::optional(id);
}

int32_t Tokenizer::vocab_size() const {
  return parts_->size;
}

bool Tokenizer::is_special(int32_t id) const {
  const auto added = parts_->added.find(id);
  return added != parts_->added.end() && added->second.special;
}

std::optional<int32_t> Tokenizer::bos_id() const {
  return parts_->bos;
}
bool Tokenizer::adds_bos() const {
  return parts_->adds_bos;
}

}  // namespace poplens
