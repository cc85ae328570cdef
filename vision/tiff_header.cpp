#include "vision/tiff_header.h"

#include <algorithm>
#include <optional>

#include "vision/image_error.h"
#include "vision/orientation.h"

namespace poplens {

namespace {

struct Directory {
  FileBytes file;
  bool little;
  size_t entries_at;
  size_t entries;

  uint32_t u16(size_t at) const { return little ? read_le16(file, at) : read_be16(file, at); }
  uint32_t u32(size_t at) const { return little ? read_le32(file, at) : read_be32(file, at); }

  struct Field {
    size_t at, count, bytes_each;
  };

  // Where the values of `tag` lie; nothing if it is absent, of no integer type, or outside the file.
  std::optional<Field> find(uint32_t tag) const {
    for (size_t i = 0; i < entries; ++i) {
      const size_t entry = entries_at + i * 12;
      if (u16(entry) != tag) continue;
      const uint32_t type = u16(entry + 2);
      const size_t bytes_each = type == 1 ? 1 : type == 3 ? 2 : type == 4 ? 4 : 0;  // BYTE, SHORT, LONG
      const size_t count = u32(entry + 4);
      if (bytes_each == 0 || count == 0) return {};
      const size_t at = count * bytes_each <= 4 ? entry + 8 : u32(entry + 8);
      if (!holds(file, at, count * bytes_each)) return {};
      return Field{at, count, bytes_each};
    }
    return {};
  }

  uint32_t value(const Field& field, size_t index) const {
    const size_t at = field.at + index * field.bytes_each;
    return field.bytes_each == 1 ? read_u8(file, at) : field.bytes_each == 2 ? u16(at) : u32(at);
  }

  uint32_t number(uint32_t tag, uint32_t otherwise) const {
    const auto field = find(tag);
    return field ? value(*field, 0) : otherwise;
  }
};

// Most bytes that one byte of compressed data can become.
size_t best_ratio(int compression) {
  switch (compression) {
    case 1:
      return 1;
    case 5:
      return 2731;  // LZW: 4096 bytes in 12 bits
    case 8:
    case 32946:
      return 1032;  // deflate
    case 32773:
      return 64;  // PackBits
    default:
      return 0;
  }
}

// Bytes of the strips or tiles, all of which must lie inside the file.
Result<size_t> data_bytes(const Directory& directory, std::string_view name) {
  constexpr uint32_t kStripOffsets = 273, kStripBytes = 279, kTileOffsets = 324, kTileBytes = 325;
  const bool tiled = directory.find(kTileOffsets).has_value();
  const auto offsets = directory.find(tiled ? kTileOffsets : kStripOffsets);
  const auto sizes = directory.find(tiled ? kTileBytes : kStripBytes);
  if (!offsets || !sizes || offsets->count != sizes->count)
    return image_error(name, "a damaged TIFF: it does not say where its data lie");
  size_t total = 0;
  for (size_t i = 0; i < offsets->count; ++i) {
    const size_t bytes = directory.value(*sizes, i);
    if (!holds(directory.file, directory.value(*offsets, i), bytes)) return image_cut_off(name);
    total += bytes;
  }
  return total;
}

}  // namespace

Result<TiffLayout> read_tiff_layout(FileBytes file, std::string_view name) {
  constexpr uint32_t kWidth = 256, kHeight = 257, kBits = 258, kCompression = 259, kPhotometric = 262, kSamples = 277,
                     kExtraSamples = 338;
  if (!holds(file, 0, 8)) return image_cut_off(name);
  Directory directory{file, has_tag(file, 0, "II"), 0, 0};
  const size_t at = directory.u32(4);
  if (!holds(file, at, 2)) return image_cut_off(name);
  directory.entries = directory.u16(at);
  directory.entries_at = at + 2;
  if (!holds(file, directory.entries_at, directory.entries * 12)) return image_cut_off(name);

  TiffLayout tiff;
  POPLENS_CHECK(check_image_size(name, directory.number(kWidth, 0), directory.number(kHeight, 0)));
  const auto small_number = [&](uint32_t tag, uint32_t otherwise) {
    return static_cast<int>(std::min<uint32_t>(directory.number(tag, otherwise), 65535));
  };
  tiff.width = static_cast<int>(directory.number(kWidth, 0));
  tiff.height = static_cast<int>(directory.number(kHeight, 0));
  tiff.bits_per_sample = small_number(kBits, 1);
  tiff.samples_per_pixel = small_number(kSamples, 1);
  tiff.compression = small_number(kCompression, 1);
  tiff.photometric = small_number(kPhotometric, 0);
  if (directory.find(kExtraSamples)) tiff.extra_samples = small_number(kExtraSamples, 0);
  tiff.orientation = exif_orientation(file).value_or(1);
  if (best_ratio(tiff.compression) == 0)
    return image_error(name, "a TIFF with compression " + std::to_string(tiff.compression) + ", which is not read");

  POPLENS_TRY(bytes, data_bytes(directory, name));
  const size_t row_bits = static_cast<size_t>(tiff.width) * tiff.bits_per_sample * tiff.samples_per_pixel;
  const size_t least_bytes = (row_bits + 7) / 8 * static_cast<size_t>(tiff.height) / best_ratio(tiff.compression);
  if (bytes < least_bytes)
    return image_error(name, "a damaged TIFF: its " + std::to_string(bytes) + " bytes of data cannot hold " +
                                 std::to_string(tiff.width) + " x " + std::to_string(tiff.height) + " pixels");
  return tiff;
}

Result<ImageInfo> read_tiff_info(FileBytes file, std::string_view name) {
  POPLENS_TRY(tiff, read_tiff_layout(file, name));
  return ImageInfo{ImageFormat::tiff, tiff.width, tiff.height, tiff.orientation};
}

}  // namespace poplens
