// Whether a TIFF's data can be decoded at all: OpenCV gives whatever it has of strips that cannot.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"

namespace poplens {

// Decodes every strip or tile of the first picture with libtiff and throws the samples away. `file` has passed
// read_tiff_layout(): sizes are within the caps.
Result<void> check_tiff_data(FileBytes file, std::string_view name);

}  // namespace poplens
