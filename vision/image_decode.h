// A picture file's bytes to upright 8-bit RGB.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"
#include "vision/image.h"

namespace poplens {

// Decodes PNG, JPEG, WebP, TIFF, BMP and the first frame of a GIF. The format is taken from the bytes; `name` is for
// the messages alone. Grey is replicated, palettes are looked up, 16 bits give their high byte, transparency is laid on
// white (round((c * a + 255 * (255 - a)) / 255)), EXIF orientation is applied. Everything that is refused (see
// image_format.h) is refused before memory of the picture's size is taken. No exception leaves this function.
Result<Image> decode_image(FileBytes file, std::string_view name);

}  // namespace poplens
