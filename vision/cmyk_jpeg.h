// JPEGs of four inks, exactly.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"
#include "vision/image.h"
#include "vision/jpeg_header.h"

namespace poplens {

// OpenCV turns the four components of a JPEG into RGB by a formula that cuts fractions off (up to 2 levels darker than
// Pillow on most values) and does not hand out the components. libtiff does: so the JPEG goes in as the only strip of a
// TIFF of four nameless samples. The inks are taken as inverted (as Adobe writes them), whether the file says so or
// not, like Pillow. Fails for the few that libtiff does not take: subsampled ones, and progressive ones of more than
// about 100 MB of coefficients.
Result<Image> decode_cmyk_jpeg(FileBytes file, std::string_view name, const JpegLayout& jpeg);

}  // namespace poplens
