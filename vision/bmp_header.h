// The header of a Windows bitmap, checked.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"
#include "vision/image_format.h"

namespace poplens {

Result<ImageInfo> read_bmp_info(FileBytes file, std::string_view name);

}  // namespace poplens
