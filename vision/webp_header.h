// The chunks of a WebP file (RIFF container), checked.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"
#include "vision/image_format.h"

namespace poplens {

// A still picture only: animations are refused.
Result<ImageInfo> read_webp_info(FileBytes file, std::string_view name);

}  // namespace poplens
