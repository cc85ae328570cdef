#include "vision/image_format.h"

#include <string>
#include <utility>

#include "vision/bmp_header.h"
#include "vision/gif_header.h"
#include "vision/image_error.h"
#include "vision/jpeg_header.h"
#include "vision/orientation.h"
#include "vision/png_header.h"
#include "vision/tiff_header.h"
#include "vision/webp_header.h"

namespace poplens {

namespace {

// The name of the ISO media format whose brands (ISO/IEC 14496-12, box `ftyp`) the file states; empty if it is none
// that holds a picture.
std::string_view iso_media_picture(FileBytes file) {
  if (!has_tag(file, 4, "ftyp")) return {};
  const size_t box_bytes = read_be32(file, 0);
  std::string_view found;
  for (size_t at = 8; at + 4 <= box_bytes && holds(file, at, 4); at += 4) {
    for (const std::string_view brand : {"avif", "avis"})
      if (has_tag(file, at, brand)) return "AVIF";
    for (const std::string_view brand : {"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"})
      if (has_tag(file, at, brand)) found = "HEIC";
  }
  return found;
}

Result<ImageInfo> read_header(ImageFormat format, FileBytes file, std::string_view name) {
  switch (format) {
    case ImageFormat::png:
      return read_png_info(file, name);
    case ImageFormat::jpeg:
      return read_jpeg_info(file, name);
    case ImageFormat::webp:
      return read_webp_info(file, name);
    case ImageFormat::tiff:
      return read_tiff_info(file, name);
    case ImageFormat::bmp:
      return read_bmp_info(file, name);
    case ImageFormat::gif:
      return read_gif_info(file, name);
  }
  return image_error(name, "not a picture");
}

}  // namespace

std::string_view format_name(ImageFormat format) {
  switch (format) {
    case ImageFormat::png:
      return "PNG";
    case ImageFormat::jpeg:
      return "JPEG";
    case ImageFormat::webp:
      return "WebP";
    case ImageFormat::tiff:
      return "TIFF";
    case ImageFormat::bmp:
      return "BMP";
    case ImageFormat::gif:
      return "GIF";
  }
  return "unknown";
}

int ImageInfo::oriented_width() const {
  return orientation_swaps_sides(orientation) ? height : width;
}
int ImageInfo::oriented_height() const {
  return orientation_swaps_sides(orientation) ? width : height;
}

Result<ImageFormat> detect_image_format(FileBytes file, std::string_view name) {
  if (file.empty()) return image_error(name, "the file is empty");
  if (has_tag(file, 0, "\x89PNG\r\n\x1a\n")) return ImageFormat::png;
  if (has_tag(file, 0, "\xff\xd8\xff")) return ImageFormat::jpeg;
  if (has_tag(file, 0, "GIF87a") || has_tag(file, 0, "GIF89a")) return ImageFormat::gif;
  if (has_tag(file, 0, "RIFF") && has_tag(file, 8, "WEBP")) return ImageFormat::webp;
  if (has_tag(file, 0, std::string_view("II*\0", 4)) || has_tag(file, 0, std::string_view("MM\0*", 4)))
    return ImageFormat::tiff;
  if (has_tag(file, 0, "BM")) return ImageFormat::bmp;
  if (const std::string_view other = iso_media_picture(file); !other.empty())
    return image_error(name, std::string(other) + " pictures are not read; convert it to JPEG or PNG first");
  return image_error(name, "not a picture format that PopLens reads (PNG, JPEG, WebP, TIFF, BMP, GIF)");
}

Result<ImageInfo> read_image_info(FileBytes file, std::string_view name) {
  POPLENS_TRY(format, detect_image_format(file, name));
  POPLENS_TRY(info, read_header(format, file, name));
  if (info.orientation < 1 || info.orientation > 8) info.orientation = 1;
  return info;
}

}  // namespace poplens
