// What a picture file is and how large, from its bytes, before any decoding.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"

namespace poplens {

enum class ImageFormat { png, jpeg, webp, tiff, bmp, gif };

std::string_view format_name(ImageFormat format);  // "PNG", "JPEG", …

struct ImageInfo {
  ImageFormat format = ImageFormat::png;
  int width = 0;        // pixels as stored
  int height = 0;       // pixels as stored
  int orientation = 1;  // EXIF: 1 to 8
  int oriented_width() const;
  int oriented_height() const;
};

// More pixels than this are refused before anything is decoded.
inline constexpr long long kMaxImagePixels = 100'000'000;
inline constexpr int kMaxImageSide = 1'000'000;

// The format by the first bytes. Fails with a sentence that begins with `name` for an empty file, for HEIC and AVIF by
// name, and for everything else that is not read.
Result<ImageFormat> detect_image_format(FileBytes file, std::string_view name);

// Reads only headers; what it fails on includes sizes past the caps and files that end too early. `name` is for the
// messages alone.
Result<ImageInfo> read_image_info(FileBytes file, std::string_view name);

}  // namespace poplens
