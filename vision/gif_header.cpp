#include "vision/gif_header.h"

#include "vision/image_error.h"

namespace poplens {

namespace {

size_t color_table_bytes(uint8_t flags) {
  return (flags & 0x80) != 0 ? size_t{3} << ((flags & 7) + 1) : 0;
}

// Where the chain of sub-blocks that begins at `at` ends (past its terminator); 0 if the file ends first. Adds up the
// bytes of the sub-blocks.
size_t skip_sub_blocks(FileBytes file, size_t at, size_t& bytes) {
  for (;;) {
    if (!holds(file, at, 1)) return 0;
    const size_t length = read_u8(file, at);
    if (length == 0) return at + 1;
    bytes += length;
    at += 1 + length;
  }
}

}  // namespace

Result<ImageInfo> read_gif_info(FileBytes file, std::string_view name) {
  constexpr uint8_t kExtension = 0x21, kFrame = 0x2c, kTrailer = 0x3b;
  if (!holds(file, 0, 13)) return image_cut_off(name);
  const int width = read_le16(file, 6), height = read_le16(file, 8);
  POPLENS_CHECK(check_image_size(name, width, height));

  for (size_t at = 13 + color_table_bytes(read_u8(file, 10));;) {
    if (!holds(file, at, 1)) return image_cut_off(name);
    const uint8_t block = read_u8(file, at);
    size_t bytes = 0;
    if (block == kExtension) {
      at = skip_sub_blocks(file, at + 2, bytes);
      if (at == 0) return image_cut_off(name);
    } else if (block == kFrame) {
      if (!holds(file, at, 11)) return image_cut_off(name);
      const int frame_width = read_le16(file, at + 5), frame_height = read_le16(file, at + 7);
      if (read_le16(file, at + 1) + frame_width > width || read_le16(file, at + 3) + frame_height > height)
        return image_error(name, "a damaged GIF: its first frame does not lie inside the picture");
      if (skip_sub_blocks(file, at + 11 + color_table_bytes(read_u8(file, at + 9)), bytes) == 0)
        return image_cut_off(name);
      // The longest string of the code table is 4096 pixels, and a code takes at least 3 bits.
      if (static_cast<size_t>(frame_width) * frame_height > bytes * 8 / 3 * 4096)
        return image_error(name, "a damaged GIF: its " + std::to_string(bytes) + " bytes of data cannot hold " +
                                     std::to_string(frame_width) + " x " + std::to_string(frame_height) + " pixels");
      return ImageInfo{ImageFormat::gif, width, height, 1};
    } else if (block == kTrailer) {
      return image_error(name, "a damaged GIF: it has no picture");
    } else {
      return image_error(name, "a damaged GIF: an unknown block");
    }
  }
}

}  // namespace poplens
