#include "vision/image_decode.h"

#include <new>

#include "vision/image_error.h"
#include "vision/image_format.h"
#include "vision/jpeg_decode.h"
#include "vision/opencv_decode.h"
#include "vision/orientation.h"
#include "vision/stb_decode.h"

namespace poplens {

namespace {

Result<Image> decode_stored(ImageFormat format, FileBytes file, std::string_view name) {
  switch (format) {
    case ImageFormat::png:
      return decode_png(file, name);
    case ImageFormat::jpeg:
      return decode_jpeg(file, name);
    case ImageFormat::webp:
      return decode_webp(file, name);
    case ImageFormat::tiff:
      return decode_tiff(file, name);
    case ImageFormat::bmp:
      return decode_bmp(file, name);
    case ImageFormat::gif:
      return decode_gif(file, name);
  }
  return image_error(name, "not a picture");
}

}  // namespace

Result<Image> decode_image(FileBytes file, std::string_view name) try {
  POPLENS_TRY(info, read_image_info(file, name));
  POPLENS_TRY(image, decode_stored(info.format, file, name));
  return turn_upright(std::move(image), info.orientation);
} catch (const std::bad_alloc&) {
  return image_error(name, "not enough memory to decode the picture");
}

}  // namespace poplens
