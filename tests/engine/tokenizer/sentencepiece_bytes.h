// Makes SentencePiece model files for the tests, field by field.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace poplens::test {

// Types of pieces, as in sentencepiece_model.proto.
enum PieceKind : uint64_t {
  kNormalPiece = 1,
  kUnknownPiece,
  kControlPiece,
  kUserDefinedPiece,
  kUnusedPiece,
  kBytePiece
};

inline std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

inline std::string number_field(uint32_t number, uint64_t value) {
  return varint(number << 3) + varint(value);
}

inline std::string bytes_field(uint32_t number, std::string_view bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}

inline std::string piece_field(std::string_view text, float score, uint64_t type) {
  const auto bits = std::bit_cast<uint32_t>(score);
  std::string message = bytes_field(1, text) + varint(2 << 3 | 5);
  for (int k = 0; k < 4; ++k) message.push_back(static_cast<char>(bits >> (8 * k)));
  return bytes_field(1, message + number_field(3, type));
}

// The settings that Gemma's models have.
inline std::string trainer_field() {
  return bytes_field(2, number_field(3, 2) + number_field(35, 1) + number_field(40, 3) + number_field(41, 2) +
                            number_field(42, 1) + bytes_field(45, "<unk>") + bytes_field(46, "<bos>") +
                            bytes_field(47, "<eos>"));
}

inline std::string normalizer_field() {
  return bytes_field(3, bytes_field(1, "identity") + number_field(3, 0) + number_field(4, 0) + number_field(5, 1));
}

// The tokenizer.model that the tokenizer.json of a Gemma was made of: the pieces stand by id, those that were trained
// in the order of their merges.
inline std::string model_of(const nlohmann::json& tokenizer) {
  const nlohmann::json& vocab = tokenizer["model"]["vocab"];
  std::vector<std::string> texts(vocab.size());
  for (const auto& [text, id] : vocab.items()) texts.at(id.get<size_t>()) = text;
  std::vector<uint64_t> types(texts.size(), kNormalPiece);
  for (const nlohmann::json& added : tokenizer["added_tokens"]) {
    const auto id = added["id"].get<size_t>();
    const std::string content = added["content"];
    if (id >= types.size()) continue;
    const bool mark = content.ends_with("_of_turn>") || content.ends_with("_of_image>");
    types[id] = content == "<unk>" ? kUnknownPiece : !mark && added["special"] ? kControlPiece : kUserDefinedPiece;
  }
  std::string bytes;
  float score = 0.0f;
  for (size_t id = 0; id < texts.size(); ++id) {
    if (texts[id].size() == 6 && texts[id].starts_with("<0x")) types[id] = kBytePiece;
    bytes += piece_field(texts[id], types[id] == kNormalPiece ? score-- : 0.0f, types[id]);
  }
  return bytes + trainer_field() + normalizer_field();
}

}  // namespace poplens::test
