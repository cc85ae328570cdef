#include "vision/gif_header.h"

#include <string>

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

std::string dimensions(int width, int height) {
  return std::to_string(width) + " x " + std::to_string(height);
}

// The frame whose header is at `at`: its place, palette and data.
Result<void> read_frame(FileBytes file, size_t at, std::string_view name, GifLayout& gif) {
  constexpr size_t kFrameHeaderBytes = 10;
  if (!holds(file, at, kFrameHeaderBytes)) return image_cut_off(name);
  gif.frame_at = at;
  gif.frame_x = read_le16(file, at + 1);
  gif.frame_y = read_le16(file, at + 3);
  gif.frame_width = read_le16(file, at + 5);
  gif.frame_height = read_le16(file, at + 7);
  if (gif.frame_width == 0 || gif.frame_height == 0 || gif.frame_x + gif.frame_width > gif.width ||
      gif.frame_y + gif.frame_height > gif.height)
    return image_error(name, "a damaged GIF: its first frame does not lie inside the picture");
  const size_t palette_at = at + kFrameHeaderBytes, palette_bytes = color_table_bytes(read_u8(file, at + 9));
  if (!holds(file, palette_at, palette_bytes)) return image_cut_off(name);
  if (palette_bytes != 0) gif.palette = file.subspan(palette_at, palette_bytes);
  if (gif.palette.empty()) return image_error(name, "a damaged GIF: its palette is missing");

  size_t bytes = 0;
  gif.frame_end = skip_sub_blocks(file, palette_at + palette_bytes + 1, bytes);
  if (gif.frame_end == 0) return image_cut_off(name);
  // The longest string of the code table is 4096 pixels, and a code takes at least 3 bits.
  const size_t frame_pixels = static_cast<size_t>(gif.frame_width) * gif.frame_height;
  if (frame_pixels > bytes * 8 / 3 * 4096)
    return image_error(name, "a damaged GIF: its " + std::to_string(bytes) + " bytes of data cannot hold " +
                                 dimensions(gif.frame_width, gif.frame_height) + " pixels");
  // A few bytes must not become a huge blank picture.
  constexpr size_t kSmallCanvas = 16'000'000, kMostBlank = 64;
  const size_t canvas_pixels = static_cast<size_t>(gif.width) * gif.height;
  if (canvas_pixels > kSmallCanvas && canvas_pixels / kMostBlank > frame_pixels)
    return image_error(name, "a damaged GIF: its first frame has " + dimensions(gif.frame_width, gif.frame_height) +
                                 " of " + dimensions(gif.width, gif.height) + " pixels");
  return {};
}

}  // namespace

Result<GifLayout> read_gif_layout(FileBytes file, std::string_view name) {
  constexpr uint8_t kExtension = 0x21, kFrame = 0x2c, kTrailer = 0x3b;
  constexpr size_t kHeaderBytes = 13;
  if (!holds(file, 0, kHeaderBytes)) return image_cut_off(name);
  GifLayout gif;
  gif.width = read_le16(file, 6);
  gif.height = read_le16(file, 8);
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
      POPLENS_CHECK(read_frame(file, at, name, gif));
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
