#include "engine/tokenizer/protobuf_reader.h"

namespace poplens {
namespace {

// Seven bits a byte, the lowest first; the top bit says that more follow.
std::optional<uint64_t> take_number(std::string_view& bytes) {
  uint64_t value = 0;
  for (size_t k = 0; k < bytes.size() && k < 10; ++k) {
    const auto byte = static_cast<uint8_t>(bytes[k]);
    if (k == 9 && byte > 1) return std::nullopt;
    value |= static_cast<uint64_t>(byte & 0x7F) << (7 * k);
    if (byte < 0x80) {
      bytes.remove_prefix(k + 1);
      return value;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<ProtobufField> ProtobufReader::next() {
  std::string_view rest = message_.substr(at_);
  const std::optional<uint64_t> key = take_number(rest);
  if (!key || *key > UINT32_MAX || *key < 8) return std::nullopt;
  ProtobufField field;
  field.number = static_cast<uint32_t>(*key >> 3);
  uint64_t length = 0;
  switch (*key & 7) {
    case 0: {
      const std::optional<uint64_t> value = take_number(rest);
      if (!value) return std::nullopt;
      field.whole_number = *value;
      break;
    }
    case 1:
      field.kind = ProtobufField::Kind::eight_bytes;
      length = 8;
      break;
    case 2: {
      const std::optional<uint64_t> told = take_number(rest);
      if (!told) return std::nullopt;
      field.kind = ProtobufField::Kind::bytes;
      length = *told;
      break;
    }
    case 5:
      field.kind = ProtobufField::Kind::four_bytes;
      length = 4;
      break;
    default:
      return std::nullopt;
  }
  if (length > rest.size()) return std::nullopt;
  field.bytes = rest.substr(0, static_cast<size_t>(length));
  rest.remove_prefix(static_cast<size_t>(length));
  at_ = message_.size() - rest.size();
  return field;
}

}  // namespace poplens
