// The fields of a serialised protocol buffer message, one after the other, from bytes nobody vouches for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace poplens {

struct ProtobufField {
  enum class Kind { whole_number, bytes, four_bytes, eight_bytes };

  uint32_t number = 0;
  Kind kind = Kind::whole_number;
  uint64_t whole_number = 0;  // of that kind
  std::string_view bytes;     // of the other kinds, inside the message

  bool is(uint32_t wanted, Kind wanted_kind) const { return number == wanted && kind == wanted_kind; }
};

class ProtobufReader {
 public:
  explicit ProtobufReader(std::string_view message) : message_(message) {}

  bool at_end() const { return at_ == message_.size(); }

  // The field that begins here; nothing where the message is damaged: it ends inside the field, a number is longer than
  // 64 bits, or the kind is none of the four (the groups of old are refused).
  std::optional<ProtobufField> next();

  // Bytes from the message's beginning; after a failure, where the damaged field begins.
  size_t position() const { return at_; }

 private:
  std::string_view message_;
  size_t at_ = 0;
};

}  // namespace poplens
