// JPEG by libjpeg.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"
#include "vision/image.h"

namespace poplens {

// As stored, not yet turned upright; may throw std::bad_alloc. Checks the whole file's segments first. Four components
// are taken as inverted inks (as Adobe writes them), whether the file says so or not, like Pillow.
Result<Image> decode_jpeg(FileBytes file, std::string_view name);

}  // namespace poplens
