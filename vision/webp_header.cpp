#include "vision/webp_header.h"

#include <optional>

#include "vision/image_error.h"
#include "vision/orientation.h"

namespace poplens {

namespace {

struct Size {
  int width, height;
};

// RFC 6386, 9.1: frame tag, start code, 14 bits of width and of height.
std::optional<Size> lossy_size(FileBytes body) {
  if (!holds(body, 0, 10) || (read_u8(body, 0) & 1) != 0 || !has_tag(body, 3, "\x9d\x01\x2a")) return {};
  return Size{read_le16(body, 6) & 0x3fff, read_le16(body, 8) & 0x3fff};
}

// RFC 9649, 3.4: signature, 14 bits of width - 1 and of height - 1, an alpha bit, a version of 0.
std::optional<Size> lossless_size(FileBytes body) {
  if (!holds(body, 0, 5) || read_u8(body, 0) != 0x2f || (read_u8(body, 4) >> 5) != 0) return {};
  const uint32_t bits = read_le32(body, 1);
  return Size{static_cast<int>(bits & 0x3fff) + 1, static_cast<int>(bits >> 14 & 0x3fff) + 1};
}

}  // namespace

Result<ImageInfo> read_webp_info(FileBytes file, std::string_view name) {
  const size_t riff_bytes = read_le32(file, 4);
  if (!holds(file, 8, riff_bytes)) return image_cut_off(name);
  const FileBytes riff = file.first(8 + riff_bytes);

  std::optional<Size> canvas, picture;
  std::optional<int> exif, xmp;
  for (size_t at = 12; holds(riff, at, 8);) {
    const size_t length = read_le32(riff, at + 4);
    if (!holds(riff, at + 8, length)) return image_error(name, "a damaged WebP: a chunk is longer than the file");
    const FileBytes body = riff.subspan(at + 8, length);
    if (has_tag(riff, at, "VP8X")) {
      if (at != 12 || length < 10)
        return image_error(name, "a damaged WebP: its header chunk is misplaced or too short");
      if ((read_u8(body, 0) & 0x02) != 0) return image_error(name, "an animated WebP; only still pictures are read");
      canvas = Size{static_cast<int>(read_le24(body, 4)) + 1, static_cast<int>(read_le24(body, 7)) + 1};
    } else if (has_tag(riff, at, "VP8 ") || has_tag(riff, at, "VP8L")) {
      if (picture) return image_error(name, "a damaged WebP: it has two pictures");
      picture = has_tag(riff, at, "VP8 ") ? lossy_size(body) : lossless_size(body);
      if (!picture) return image_error(name, "a damaged WebP: its picture has no valid header");
    } else if (has_tag(riff, at, "EXIF")) {
      const bool with_prefix = has_tag(body, 0, std::string_view("Exif\0\0", 6));
      if (!exif) exif = exif_orientation(with_prefix ? body.subspan(6) : body);
    } else if (has_tag(riff, at, "XMP ")) {
      if (!xmp) xmp = xmp_orientation(body);
    }
    at += 8 + length + length % 2;
  }
  if (!picture) return image_error(name, "a damaged WebP: it has no picture");
  if (canvas && (canvas->width != picture->width || canvas->height != picture->height))
    return image_error(name, "a damaged WebP: its two statements of the size differ");
  POPLENS_CHECK(check_image_size(name, picture->width, picture->height));
  return ImageInfo{ImageFormat::webp, picture->width, picture->height, exif.value_or(xmp.value_or(1))};
}

}  // namespace poplens
