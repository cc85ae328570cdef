// The segments of a JPEG file (ITU-T T.81), checked.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"
#include "vision/image_format.h"

namespace poplens {

struct JpegLayout {
  int width = 0, height = 0;  // pixels
  int components = 0;         // 1 grey, 3 colour, 4 CMYK
  bool progressive = false;
  int orientation = 1;  // of the first EXIF block, or of XMP where there is none
};

// The segments before the first scan.
Result<JpegLayout> read_jpeg_layout(FileBytes file, std::string_view name);

// Walks the scans as well: the end marker must be there, the data must be enough for the size that the header claims,
// and the scans must not be absurdly many.
Result<JpegLayout> check_whole_jpeg(FileBytes file, std::string_view name);

Result<ImageInfo> read_jpeg_info(FileBytes file, std::string_view name);

}  // namespace poplens
