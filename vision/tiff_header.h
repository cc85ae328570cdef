// The first directory of a TIFF file (TIFF 6.0), checked.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"
#include "vision/image_format.h"

namespace poplens {

enum class TiffPhotometric { white_is_zero = 0, black_is_zero = 1, rgb = 2, palette = 3, cmyk = 5, ycbcr = 6 };

// What a fourth sample means.
enum class TiffExtraSample { unstated, unspecified, alpha_multiplied_in, alpha };

struct TiffLayout {
  int width = 0, height = 0;  // pixels
  int orientation = 1;
  int bits_per_sample = 1;
  int samples_per_pixel = 1;
  TiffPhotometric photometric = TiffPhotometric::white_is_zero;
  TiffExtraSample extra_sample = TiffExtraSample::unstated;
  bool little_endian = true;
  size_t orientation_at = 0;  // where the 16-bit value lies in the file; 0: not stated
  size_t photometric_at = 0;  // the same
};

// The first picture of the file. Only kinds that decode_tiff reads right are accepted; the data must lie inside the
// file and be enough for the size that the header claims.
Result<TiffLayout> read_tiff_layout(FileBytes file, std::string_view name);

Result<ImageInfo> read_tiff_info(FileBytes file, std::string_view name);

}  // namespace poplens
