#include "vision/tiff_header.h"

#include <algorithm>
#include <optional>

#include "vision/image_error.h"

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

// CCITT's codes for black and white, as scanners write them: a row like the one above it may take a single bit.
bool is_fax(uint32_t compression) {
  return compression >= 2 && compression <= 4;
}

// Most bytes that one byte of compressed data can become; 0 for compressions that are not read.
size_t best_ratio(uint32_t compression) {
  switch (compression) {
    case 1:
      return 1;
    case 5:
      return 2731;  // LZW: 4096 bytes in 12 bits
    case 7:
      return 768;  // JPEG: 192 bytes in 2 bits
    case 8:
    case 32946:
      return 1032;  // deflate: 258 bytes in 2 bits
    case 32773:
      return 64;  // PackBits: 128 bytes in 2 bytes
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

bool combination_is_read(const TiffLayout& tiff, bool planar) {
  const int bits = tiff.bits_per_sample, samples = tiff.samples_per_pixel;
  switch (tiff.photometric) {
    case TiffPhotometric::white_is_zero:
      return samples == 1 && (bits == 1 || bits == 8);
    case TiffPhotometric::black_is_zero:
      return samples == 1 && (bits == 1 || bits == 8 || bits == 16);
    case TiffPhotometric::rgb:
      return (samples == 3 || samples == 4) && (bits == 8 || (bits == 16 && !planar));
    case TiffPhotometric::palette:
      return samples == 1 && bits == 8;
    case TiffPhotometric::cmyk:
      return samples == 4 && bits == 8;
    case TiffPhotometric::ycbcr:
      return samples == 3 && bits == 8;
  }
  return false;
}

}  // namespace

Result<TiffLayout> read_tiff_layout(FileBytes file, std::string_view name) {
  constexpr uint32_t kWidth = 256, kHeight = 257, kBits = 258, kCompression = 259, kPhotometric = 262,
                     kOrientation = 274, kSamples = 277, kPlanar = 284, kColorMap = 320, kExtraSamples = 338,
                     kSampleFormat = 339;
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
  const auto short_at = [&](uint32_t tag) {
    const auto field = directory.find(tag);
    return field && field->bytes_each == 2 ? field->at : size_t{0};
  };
  tiff.width = static_cast<int>(directory.number(kWidth, 0));
  tiff.height = static_cast<int>(directory.number(kHeight, 0));
  tiff.bits_per_sample = small_number(kBits, 1);
  tiff.samples_per_pixel = small_number(kSamples, 1);
  tiff.photometric = static_cast<TiffPhotometric>(small_number(kPhotometric, 0));
  if (directory.find(kExtraSamples))
    tiff.extra_sample = static_cast<TiffExtraSample>(1 + std::min(small_number(kExtraSamples, 0), 3));
  tiff.little_endian = directory.little;
  tiff.orientation_at = short_at(kOrientation);
  tiff.photometric_at = short_at(kPhotometric);
  if (tiff.orientation_at != 0) tiff.orientation = small_number(kOrientation, 1);

  const bool whole_numbers = directory.number(kSampleFormat, 1) == 1;
  if (!whole_numbers || !combination_is_read(tiff, directory.number(kPlanar, 1) == 2))
    return image_error(
        name, "a TIFF of a kind that is not read: photometric " + std::to_string(static_cast<int>(tiff.photometric)) +
                  " with " + std::to_string(tiff.samples_per_pixel) + " samples of " +
                  std::to_string(tiff.bits_per_sample) + (whole_numbers ? " bits" : " bits, not integers"));
  const auto color_map = directory.find(kColorMap);
  if (tiff.photometric == TiffPhotometric::palette && (!color_map || color_map->count < 3 * 256))
    return image_error(name, "a damaged TIFF: its palette is missing");
  const uint32_t compression = directory.number(kCompression, 1);
  const bool fax = is_fax(compression) && tiff.bits_per_sample == 1;
  if (best_ratio(compression) == 0 && !fax)
    return image_error(name, "a TIFF with compression " + std::to_string(compression) + ", which is not read");

  POPLENS_TRY(bytes, data_bytes(directory, name));
  // Chroma may be at a quarter of each side, so that YCbCr takes little more than one sample a pixel.
  const int least_samples = tiff.photometric == TiffPhotometric::ycbcr ? 1 : tiff.samples_per_pixel;
  const size_t row_bits = static_cast<size_t>(tiff.width) * tiff.bits_per_sample * least_samples;
  const auto rows = static_cast<size_t>(tiff.height);
  const size_t least_bytes = fax ? rows / 8 : (row_bits + 7) / 8 * rows / best_ratio(compression);
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
