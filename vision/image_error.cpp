#include "vision/image_error.h"

namespace poplens {

namespace {

std::string dimensions(long long width, long long height) {
  return std::to_string(width) + " x " + std::to_string(height) + " pixels";
}

}  // namespace

Error image_error(std::string_view name, std::string_view what) {
  return Error{std::string(name) + ": " + std::string(what)};
}

Error image_cut_off(std::string_view name) {
  return image_error(name, "the file is cut off: it ends before the picture does");
}

Error undecodable(std::string_view name, ImageFormat format) {
  return image_error(name, "a damaged " + std::string(format_name(format)) + ": its data cannot be decoded");
}

Result<void> check_image_size(std::string_view name, long long width, long long height) {
  if (width < 1 || height < 1)
    return image_error(name, "the picture has no pixels (" + dimensions(width, height) + ")");
  if (width > kMaxImageSide || height > kMaxImageSide)
    return image_error(name, "the picture claims " + dimensions(width, height) + "; at most " +
                                 std::to_string(kMaxImageSide) + " a side are read");
  if (width * height > kMaxImagePixels)
    return image_error(name, "the picture claims " + dimensions(width, height) + "; at most " +
                                 std::to_string(kMaxImagePixels / 1'000'000) + " megapixels are read");
  return {};
}

}  // namespace poplens
