// Integers and tags out of a file's bytes. None of the readers checks bounds: ask holds() first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace poplens {

using FileBytes = std::span<const std::byte>;

inline bool holds(FileBytes bytes, size_t offset, size_t count) {
  return offset <= bytes.size() && count <= bytes.size() - offset;
}

inline uint8_t read_u8(FileBytes bytes, size_t offset) {
  return static_cast<uint8_t>(bytes[offset]);
}

inline uint16_t read_be16(FileBytes bytes, size_t offset) {
  return static_cast<uint16_t>(read_u8(bytes, offset) << 8 | read_u8(bytes, offset + 1));
}

inline uint16_t read_le16(FileBytes bytes, size_t offset) {
  return static_cast<uint16_t>(read_u8(bytes, offset) | read_u8(bytes, offset + 1) << 8);
}

inline uint32_t read_be32(FileBytes bytes, size_t offset) {
  return static_cast<uint32_t>(read_be16(bytes, offset)) << 16 | read_be16(bytes, offset + 2);
}

inline uint32_t read_le32(FileBytes bytes, size_t offset) {
  return read_le16(bytes, offset) | static_cast<uint32_t>(read_le16(bytes, offset + 2)) << 16;
}

inline uint32_t read_le24(FileBytes bytes, size_t offset) {
  return read_le16(bytes, offset) | static_cast<uint32_t>(read_u8(bytes, offset + 2)) << 16;
}

// True if the bytes at `offset` are `tag` (checks bounds).
inline bool has_tag(FileBytes bytes, size_t offset, std::string_view tag) {
  if (!holds(bytes, offset, tag.size())) return false;
  for (size_t i = 0; i < tag.size(); ++i)
    if (read_u8(bytes, offset + i) != static_cast<uint8_t>(tag[i])) return false;
  return true;
}

}  // namespace poplens
