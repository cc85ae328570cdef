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

constexpr std::string_view kGraphicControl{"\xf9\x04", 2};

}  // namespace

Result<GifLayout> read_gif_layout(FileBytes file, std::string_view name) {
  constexpr uint8_t kExtension = 0x21, kFrame = 0x2c, kTrailer = 0x3b;
  constexpr size_t kHeaderBytes = 13, kFrameHeaderBytes = 10;
  if (!holds(file, 0, kHeaderBytes)) return image_cut_off(name);
  GifLayout gif{.width = read_le16(file, 6), .height = read_le16(file, 8)};
  POPLENS_CHECK(check_image_size(name, gif.width, gif.height));
  const size_t global_bytes = color_table_bytes(read_u8(file, 10));
  if (!holds(file, kHeaderBytes, global_bytes)) return image_cut_off(name);
  gif.palette = file.subspan(kHeaderBytes, global_bytes);

  for (size_t at = kHeaderBytes + global_bytes;;) {
    if (!holds(file, at, 1)) return image_cut_off(name);
    const uint8_t block = read_u8(file, at);
    size_t bytes = 0;
    if (block == kExtension) {
      if (has_tag(file, at + 1, kGraphicControl) && holds(file, at + 3, 1))
        gif.has_transparent_color = (read_u8(file, at + 3) & 1) != 0;
      at = skip_sub_blocks(file, at + 2, bytes);
      if (at == 0) return image_cut_off(name);
    } else if (block == kFrame) {
      if (!holds(file, at, kFrameHeaderBytes)) return image_cut_off(name);
      const int frame_width = read_le16(file, at + 5), frame_height = read_le16(file, at + 7);
      if (read_le16(file, at + 1) + frame_width > gif.width || read_le16(file, at + 3) + frame_height > gif.height)
        return image_error(name, "a damaged GIF: its first frame does not lie inside the picture");
      const size_t local_at = at + kFrameHeaderBytes, local_bytes = color_table_bytes(read_u8(file, at + 9));
      if (!holds(file, local_at, local_bytes)) return image_cut_off(name);
      if (local_bytes != 0) gif.palette = file.subspan(local_at, local_bytes);
      if (gif.palette.empty()) return image_error(name, "a damaged GIF: its palette is missing");
      gif.frame_end = skip_sub_blocks(file, local_at + local_bytes + 1, bytes);
      if (gif.frame_end == 0) return image_cut_off(name);
      // The longest string of the code table is 4096 pixels, and a code takes at least 3 bits.
      if (static_cast<size_t>(frame_width) * frame_height > bytes * 8 / 3 * 4096)
        return image_error(name, "a damaged GIF: its " + std::to_string(bytes) + " bytes of data cannot hold " +
                                     std::to_string(frame_width) + " x " + std::to_string(frame_height) + " pixels");
      return gif;
    } else if (block == kTrailer) {
      return image_error(name, "a damaged GIF: it has no picture");
    } else {
      return image_error(name, "a damaged GIF: an unknown block");
    }
  }
}

Result<ImageInfo> read_gif_info(FileBytes file, std::string_view name) {
  POPLENS_TRY(gif, read_gif_layout(file, name));
  return ImageInfo{ImageFormat::gif, gif.width, gif.height, 1};
}

}  // namespace poplens
