#include "vision/png_header.h"

#include <array>
#include <optional>

#include "vision/image_error.h"
#include "vision/orientation.h"

namespace poplens {

namespace {

constexpr std::string_view kXmpKeyword{"XML:com.adobe.xmp\0", 18};

int channels_of(int color_type) {
  constexpr int kChannels[] = {1, 0, 3, 1, 2, 0, 4};
  return kChannels[color_type];
}

bool depth_is_allowed(int color_type, int depth) {
  const bool whole = depth == 8 || depth == 16, small = depth == 1 || depth == 2 || depth == 4;
  switch (color_type) {
    case 0:
      return whole || small;
    case 3:
      return depth == 8 || small;
    case 2:
    case 4:
    case 6:
      return whole;
    default:
      return false;
  }
}

// Bytes of the filtered rows, each with its filter byte; Adam7 pictures are seven small ones.
size_t uncompressed_bytes(const PngLayout& png) {
  struct Pass {
    int x0, y0, step_x, step_y;
  };
  constexpr Pass kWhole[] = {{0, 0, 1, 1}};
  constexpr Pass kAdam7[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                             {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
  const size_t bits_per_pixel = static_cast<size_t>(channels_of(png.color_type)) * png.bit_depth;
  size_t total = 0;
  for (const Pass& pass : png.interlaced ? std::span<const Pass>(kAdam7) : std::span<const Pass>(kWhole)) {
    if (png.width <= pass.x0 || png.height <= pass.y0) continue;
    const size_t columns = (png.width - pass.x0 + pass.step_x - 1) / pass.step_x;
    const size_t rows = (png.height - pass.y0 + pass.step_y - 1) / pass.step_y;
    total += rows * (1 + (columns * bits_per_pixel + 7) / 8);
  }
  return total;
}

Result<void> read_header_chunk(FileBytes body, std::string_view name, PngLayout& png) {
  if (body.size() != 13) return image_error(name, "a damaged PNG: its header has the wrong length");
  if (!png_checksum_holds(body)) return image_error(name, "a damaged PNG: the checksum of its header is wrong");
  POPLENS_CHECK(check_image_size(name, read_be32(body, 0), read_be32(body, 4)));
  png.width = static_cast<int>(read_be32(body, 0));
  png.height = static_cast<int>(read_be32(body, 4));
  png.bit_depth = read_u8(body, 8);
  png.color_type = read_u8(body, 9);
  if (!depth_is_allowed(png.color_type, png.bit_depth))
    return image_error(name, "a damaged PNG: no PNG has color type " + std::to_string(png.color_type) + " with " +
                                 std::to_string(png.bit_depth) + " bits");
  if (read_u8(body, 10) != 0 || read_u8(body, 11) != 0 || read_u8(body, 12) > 1)
    return image_error(name, "a damaged PNG: unknown compression, filter or interlace method");
  png.interlaced = read_u8(body, 12) == 1;
  png.header = body;
  return {};
}

bool transparency_is_meant(const PngLayout& png, size_t bytes) {
  switch (png.color_type) {
    case 0:
      return bytes == 2;
    case 2:
      return bytes == 6;
    case 3:
      return bytes >= 1 && bytes <= 256;
    default:
      return false;
  }
}

// iTXt holding XMP: keyword, compression flag and method, two more strings, text. A compressed packet is left alone.
std::optional<int> text_orientation(FileBytes body) {
  if (!has_tag(body, 0, kXmpKeyword) || !holds(body, kXmpKeyword.size(), 1) || read_u8(body, kXmpKeyword.size()) != 0)
    return {};
  return xmp_orientation(body.subspan(kXmpKeyword.size()));
}

Result<void> check_complete(std::string_view name, const PngLayout& png) {
  if (png.color_type == 3 && png.palette.empty()) return image_error(name, "a damaged PNG: its palette is missing");
  if (png.data_bytes == 0) return image_error(name, "a damaged PNG: it has no picture data");
  // Deflate spends at least 2 bits on 258 bytes.
  constexpr size_t kBestRatio = 1032;
  if (png.data_bytes < (png.uncompressed_bytes + kBestRatio - 1) / kBestRatio)
    return image_error(name, "a damaged PNG: its " + std::to_string(png.data_bytes) + " bytes of data cannot hold " +
                                 std::to_string(png.width) + " x " + std::to_string(png.height) + " pixels");
  return {};
}

constexpr std::array<uint32_t, 256> crc_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value & 1 ? 0xedb88320u ^ (value >> 1) : value >> 1;
    table[i] = value;
  }
  return table;
}

}  // namespace

bool png_checksum_holds(FileBytes body) {
  static constexpr std::array<uint32_t, 256> kTable = crc_table();
  const FileBytes chunk{body.data() - 4, body.size() + 8};  // type, body, checksum
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < body.size() + 4; ++i) crc = kTable[(crc ^ read_u8(chunk, i)) & 0xff] ^ (crc >> 8);
  return ~crc == read_be32(chunk, body.size() + 4);
}

Result<PngLayout> read_png_layout(FileBytes file, std::string_view name) {
  PngLayout png;
  std::optional<int> exif, xmp;
  bool data_ended = false;
  for (size_t at = 8;;) {
    if (!holds(file, at, 8)) return image_cut_off(name);
    const size_t length = read_be32(file, at);
    if (!holds(file, at + 8, length) || !holds(file, at + 8 + length, 4)) return image_cut_off(name);
    const FileBytes body = file.subspan(at + 8, length);
    const auto is = [&](std::string_view type) { return has_tag(file, at + 4, type); };

    if (png.header.empty() != is("IHDR"))
      return image_error(name, "a damaged PNG: its header is missing or appears twice");
    if (is("IHDR")) {
      POPLENS_CHECK(read_header_chunk(body, name, png));
    } else if (is("IEND")) {
      break;
    } else if (is("IDAT")) {
      if (data_ended) return image_error(name, "a damaged PNG: its data chunks do not follow one another");
      png.data.push_back(body);
      png.data_bytes += length;
    } else if (is("PLTE")) {
      if (length % 3 != 0 || length == 0 || length > 768)
        return image_error(name, "a damaged PNG: its palette has the wrong length");
      if (png.color_type == 3) png.palette = body;
    } else if (is("tRNS")) {
      if (png.data.empty() && transparency_is_meant(png, length)) png.transparency = body;
    } else if (is("eXIf")) {
      exif = exif_orientation(body);
    } else if (is("iTXt")) {
      if (const auto found = text_orientation(body)) xmp = found;
    } else if ((read_u8(file, at + 4) & 0x20) == 0) {
      return image_error(name, "a damaged PNG, or one of an unknown kind: it has a critical chunk that is not known");
    }
    data_ended = !png.data.empty() && !is("IDAT");
    at += 12 + length;
  }
  png.uncompressed_bytes = uncompressed_bytes(png);
  png.orientation = exif.value_or(xmp.value_or(1));
  POPLENS_CHECK(check_complete(name, png));
  return png;
}

Result<ImageInfo> read_png_info(FileBytes file, std::string_view name) {
  POPLENS_TRY(png, read_png_layout(file, name));
  return ImageInfo{ImageFormat::png, png.width, png.height, png.orientation};
}

}  // namespace poplens
