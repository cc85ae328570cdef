// The first directory of a TIFF file (TIFF 6.0), checked.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"
#include "vision/image_format.h"

namespace poplens {

struct TiffLayout {
  int width = 0, height = 0;  // pixels
  int orientation = 1;
  int bits_per_sample = 1;
  int samples_per_pixel = 1;
  int compression = 1;     // 1 none, 5 LZW, 7 JPEG, 8 and 32946 deflate, 32773 PackBits
  int photometric = 0;     // 0 white is zero, 1 black is zero, 2 RGB, 3 palette, 5 CMYK, 6 YCbCr
  int extra_samples = -1;  // 0 unspecified, 1 alpha multiplied in, 2 alpha; -1: no such tag
};

// The first picture of the file. Its data must lie inside the file and be enough for the size that the header claims.
Result<TiffLayout> read_tiff_layout(FileBytes file, std::string_view name);

Result<ImageInfo> read_tiff_info(FileBytes file, std::string_view name);

}  // namespace poplens
