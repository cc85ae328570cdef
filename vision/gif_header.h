// The first frame of a GIF file (GIF89a), checked.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"
#include "vision/image_format.h"

namespace poplens {

// Walks the blocks up to the end of the first frame's data, which must be there.
Result<ImageInfo> read_gif_info(FileBytes file, std::string_view name);

}  // namespace poplens
