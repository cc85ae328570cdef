// WebP, TIFF and BMP by OpenCV: the only formats that ever reach it.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"
#include "vision/image.h"

namespace poplens {

// As stored, not yet turned upright, alpha on white; may throw std::bad_alloc. Each checks its headers first.
Result<Image> decode_webp(FileBytes file, std::string_view name);
Result<Image> decode_tiff(FileBytes file, std::string_view name);  // the first picture
Result<Image> decode_bmp(FileBytes file, std::string_view name);

}  // namespace poplens
