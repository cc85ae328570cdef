// PNG and GIF by stb_image.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"
#include "vision/image.h"

namespace poplens {

// Both: as stored, not yet turned upright, alpha on white; may throw std::bad_alloc.
Result<Image> decode_png(FileBytes file, std::string_view name);
Result<Image> decode_gif(FileBytes file, std::string_view name);  // the first frame

}  // namespace poplens
