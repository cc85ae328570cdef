// The header of a Windows bitmap, checked.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"
#include "vision/image_format.h"

namespace poplens {

struct BmpLayout {
  int width = 0, height = 0;  // pixels
  int bits_per_pixel = 0;     // 1, 4, 8, 16, 24, 32
  bool has_masks = false;     // 16 and 32 bits: where the samples lie is stated
  bool has_alpha = false;     // 32 bits: the masks include one for alpha
  int green_bits = 5;         // 16 bits: 5 or 6
};

// The rows must lie inside the file.
Result<BmpLayout> read_bmp_layout(FileBytes file, std::string_view name);

Result<ImageInfo> read_bmp_info(FileBytes file, std::string_view name);

}  // namespace poplens
