#include "engine/tokenizer/sentencepiece_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/json_reader.h"
#include "engine/tokenizer/protobuf_reader.h"
#include "engine/tokenizer/token_index.h"
#include "engine/tokenizer/utf8.h"

namespace poplens {
namespace {

using Kind = ProtobufField::Kind;

constexpr size_t kMaxNormalBytes = 256;
constexpr size_t kMaxConfigBytes = 16u << 20;
constexpr std::string_view kWordMark = "\xE2\x96\x81";  // U+2581

// User-defined in the file, special in the tokenizer.json of the same model.
constexpr std::array<std::string_view, 4> kMarks = {"<start_of_turn>", "<end_of_turn>", "<start_of_image>",
                                                    "<end_of_image>"};

// Numbers and defaults as in sentencepiece_model.proto.
enum PieceType : uint64_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kByte = 6 };

struct Settings {
  uint64_t model_type = 1;  // unigram
  bool byte_fallback = false;
  bool space_as_suffix = false;
  std::string_view bos_piece = "<s>";
  bool has_character_map = false;
  bool add_dummy_prefix = true;
  bool remove_extra_spaces = true;
  bool escape_spaces = true;
};

struct Pieces {
  StringArena texts;  // by id
  std::vector<float> scores;
  std::vector<PieceType> types;
  Settings settings;
};

std::string numbered(size_t id) {
  return "piece " + std::to_string(id);
}

Result<void> read_piece(std::string_view message, const std::string& name, Pieces& pieces) {
  const size_t id = pieces.texts.size();
  if (id >= kMaxTokens) return Error{name + ": more than " + std::to_string(kMaxTokens) + " pieces"};
  std::string_view text;
  float score = 0.0f;
  uint64_t type = kNormal;
  ProtobufReader reader(message);
  while (!reader.at_end()) {
    const auto field = reader.next();
    if (!field) return Error{name + ": " + numbered(id) + " is damaged"};
    if (field->is(1, Kind::bytes)) text = field->bytes;
    if (field->is(2, Kind::four_bytes)) std::memcpy(&score, field->bytes.data(), sizeof score);
    if (field->is(3, Kind::whole_number)) type = field->whole_number;
  }
  static_assert(std::endian::native == std::endian::little);
  const size_t most_bytes = type == kNormal ? kMaxNormalBytes : kMaxTokenBytes;
  if (text.empty() || text.size() > most_bytes) {
    return Error{name + ": " + numbered(id) + " has " + std::to_string(text.size()) + " bytes; 1 to " +
                 std::to_string(most_bytes) + " are allowed"};
  }
  if (!is_valid_utf8(text)) return Error{name + ": " + numbered(id) + " is not valid UTF-8"};
  if (!std::isfinite(score)) return Error{name + ": the score of " + numbered(id) + " is not a number"};
  if (type < kNormal || type > kByte || type == 5) {
    return Error{name + ": " + numbered(id) + " is of type " + std::to_string(type) + ", which is not supported"};
  }
  if (type == kUserDefined && text.find(' ') != text.npos) {
    return Error{name + ": the user-defined " + numbered(id) + " has a space, which no text has when it is looked for"};
  }
  pieces.texts.push_back(text);
  pieces.scores.push_back(score);
  pieces.types.push_back(static_cast<PieceType>(type));
  return {};
}

bool read_trainer_spec(std::string_view message, Settings& settings) {
  ProtobufReader reader(message);
  while (!reader.at_end()) {
    const auto field = reader.next();
    if (!field) return false;
    if (field->is(3, Kind::whole_number)) settings.model_type = field->whole_number;
    if (field->is(24, Kind::whole_number)) settings.space_as_suffix = field->whole_number != 0;
    if (field->is(35, Kind::whole_number)) settings.byte_fallback = field->whole_number != 0;
    if (field->is(46, Kind::bytes)) settings.bos_piece = field->bytes;
  }
  return true;
}

bool read_normalizer_spec(std::string_view message, Settings& settings) {
  ProtobufReader reader(message);
  while (!reader.at_end()) {
    const auto field = reader.next();
    if (!field) return false;
    if (field->is(2, Kind::bytes)) settings.has_character_map = !field->bytes.empty();
    if (field->is(3, Kind::whole_number)) settings.add_dummy_prefix = field->whole_number != 0;
    if (field->is(4, Kind::whole_number)) settings.remove_extra_spaces = field->whole_number != 0;
    if (field->is(5, Kind::whole_number)) settings.escape_spaces = field->whole_number != 0;
  }
  return true;
}

Result<Pieces> read_pieces(std::string_view bytes, const std::string& name) {
  Pieces pieces;
  ProtobufReader reader(bytes);
  while (!reader.at_end()) {
    const size_t at = reader.position();
    const auto field = reader.next();
    bool whole = field.has_value();
    if (whole && field->is(1, Kind::bytes)) POPLENS_CHECK(read_piece(field->bytes, name, pieces));
    if (whole && field->is(2, Kind::bytes)) whole = read_trainer_spec(field->bytes, pieces.settings);
    if (whole && field->is(3, Kind::bytes)) whole = read_normalizer_spec(field->bytes, pieces.settings);
    if (!whole) return Error{name + ": not a SentencePiece model: damaged or cut off at byte " + std::to_string(at)};
  }
  if (pieces.texts.size() == 0) return Error{name + ": not a SentencePiece model: it has no pieces"};
  return pieces;
}

Result<void> check_settings(const Settings& settings, const std::string& name) {
  if (settings.model_type != 2) return Error{name + ": only SentencePiece models of the type BPE are supported"};
  if (settings.has_character_map) return Error{name + ": a character map for normalising is not supported"};
  if (settings.add_dummy_prefix) return Error{name + ": a space put before every text is not supported"};
  if (settings.remove_extra_spaces) return Error{name + ": spaces taken out of texts are not supported"};
  if (!settings.escape_spaces || settings.space_as_suffix) {
    return Error{name + ": only spaces written as U+2581 before a word are supported"};
  }
  return {};
}

Result<void> check_types(const Pieces& pieces, const std::string& name) {
  const auto count = [&](PieceType type) { return std::count(pieces.types.begin(), pieces.types.end(), type); };
  if (count(kUnknown) != 1) {
    return Error{name + ": has " + std::to_string(count(kUnknown)) + " unknown pieces, expected one"};
  }
  const int bytes = pieces.settings.byte_fallback ? 256 : 0;
  if (count(kByte) != bytes) {
    return Error{name + ": has " + std::to_string(count(kByte)) + " byte pieces, expected " + std::to_string(bytes)};
  }
  return {};
}

// Two normal pieces merge where their texts together are a normal piece, the highest score first.
Result<void> add_merges(const Pieces& pieces, const std::string& name, TokenizerFile& file) {
  TokenIndex index(pieces.texts.size());
  for (size_t id = 0; id < pieces.texts.size(); ++id) {
    const TableEntry entry = index.add(pieces.texts, static_cast<int32_t>(id));
    if (entry == TableEntry::there_already) return Error{name + ": " + numbered(id) + " stands there twice"};
    if (entry == TableEntry::crowded) {
      return Error{name + ": its pieces are chosen so that looking one up would take too long"};
    }
  }
  const auto is_normal = [&](std::string_view text) {
    const int32_t id = index.find(pieces.texts, text);
    return id != kNoToken && pieces.types[static_cast<size_t>(id)] == kNormal;
  };
  struct Cut {
    float score;
    int32_t id;
    uint32_t left_bytes;
  };
  std::vector<Cut> cuts;
  for (size_t id = 0; id < pieces.texts.size(); ++id) {
    if (pieces.types[id] != kNormal) continue;
    const std::string_view text = pieces.texts[id];
    for (size_t at = decode_utf8(text).length; at < text.size(); at += decode_utf8(text.substr(at)).length) {
      if (is_normal(text.substr(0, at)) && is_normal(text.substr(at))) {
        cuts.push_back({pieces.scores[id], static_cast<int32_t>(id), static_cast<uint32_t>(at)});
      }
    }
  }
  std::sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) {
    return std::tuple(-a.score, a.id, a.left_bytes) < std::tuple(-b.score, b.id, b.left_bytes);
  });
  uint32_t rank = 0;
  for (size_t k = 0; k < cuts.size(); ++k) {
    if (k > 0 && cuts[k].score != cuts[k - 1].score) ++rank;
    const std::string_view text = pieces.texts[static_cast<size_t>(cuts[k].id)];
    file.merge_parts.push_back(text.substr(0, cuts[k].left_bytes));
    file.merge_parts.push_back(text.substr(cuts[k].left_bytes));
    file.merge_ranks.push_back(rank);
  }
  return {};
}

void add_vocabulary(const Pieces& pieces, TokenizerFile& file) {
  for (size_t k = 0; k < pieces.texts.size(); ++k) {
    const std::string_view text = pieces.texts[k];
    const auto id = static_cast<int32_t>(k);
    const PieceType type = pieces.types[k];
    const bool special =
        type == kControl || type == kUnknown || std::find(kMarks.begin(), kMarks.end(), text) != kMarks.end();
    const bool in_vocabulary = type != kControl && type != kUserDefined;
    file.vocabulary.push_back(in_vocabulary ? text : std::string_view());
    if (special || type == kUserDefined) file.added.push_back({id, std::string(text), special, !special});
    if (type == kUnknown) file.model["unk_token"] = text;
    if (type == kControl && text == pieces.settings.bos_piece) file.bos = id;
  }
}

// The same steps as in the tokenizer.json of such a model.
void add_steps(const Settings& settings, TokenizerFile& file) {
  file.model["byte_fallback"] = settings.byte_fallback;
  file.model["fuse_unk"] = true;
  file.normalizer = {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", kWordMark}};
  const nlohmann::json spaces = {{"type", "Replace"}, {"pattern", {{"String", kWordMark}}}, {"content", " "}};
  file.decoder = {{"type", "Sequence"},
                  {"decoders", nlohmann::json::array({spaces, {{"type", "ByteFallback"}}, {{"type", "Fuse"}}})}};
}

Result<void> add_token(const nlohmann::json& content, int64_t id, const std::string& name, TokenizerFile& file) {
  if (id < static_cast<int64_t>(file.vocabulary.size())) return {};
  const nlohmann::json node = {
      {"id", static_cast<uint64_t>(id)}, {"content", content}, {"special", true}, {"normalized", false}};
  POPLENS_TRY(token, read_added_token(node, name));
  const auto same = [&](const AddedToken& other) { return other.id == token.id && other.content == token.content; };
  if (std::none_of(file.added.begin(), file.added.end(), same)) file.added.push_back(std::move(token));
  return {};
}

}  // namespace

Result<TokenizerFile> parse_sentencepiece_file(std::string_view bytes, const std::string& name) {
  POPLENS_TRY(pieces, read_pieces(bytes, name));
  POPLENS_CHECK(check_settings(pieces.settings, name));
  POPLENS_CHECK(check_types(pieces, name));
  TokenizerFile file;
  POPLENS_CHECK(add_merges(pieces, name, file));
  add_vocabulary(pieces, file);
  add_steps(pieces.settings, file);
  return file;
}

Result<void> add_tokens_of_folder(const std::filesystem::path& model_folder, TokenizerFile& file) {
  std::error_code missing;
  const std::filesystem::path config_path = model_folder / "tokenizer_config.json";
  if (std::filesystem::exists(config_path, missing)) {
    POPLENS_TRY(config, read_bounded_json(config_path, kMaxConfigBytes));
    for (const auto& [key, node] : json_member(config, "added_tokens_decoder").items()) {
      int64_t id = -1;
      const auto read = std::from_chars(key.data(), key.data() + key.size(), id);
      if (read.ec != std::errc() || read.ptr != key.data() + key.size() || id < 0) {
        return Error{config_path.string() + ": added_tokens_decoder has an entry that is no token id"};
      }
      POPLENS_CHECK(add_token(json_member(node, "content"), id, config_path.string(), file));
    }
  }
  const std::filesystem::path added_path = model_folder / "added_tokens.json";
  if (std::filesystem::exists(added_path, missing)) {
    POPLENS_TRY(added, read_bounded_json(added_path, kMaxConfigBytes));
    for (const auto& [content, id] : added.items()) {
      if (!id.is_number_unsigned() || id.get<uint64_t>() >= kMaxTokens) {
        return Error{added_path.string() + ": the id of an added token is not a number from 0 to " +
                     std::to_string(kMaxTokens - 1)};
      }
      POPLENS_CHECK(add_token(content, id.get<int64_t>(), added_path.string(), file));
    }
  }
  return {};
}

}  // namespace poplens
