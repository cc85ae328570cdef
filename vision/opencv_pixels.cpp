#include "vision/opencv_pixels.h"

#include <limits>
#include <new>
#include <string>
#include <utility>

#include "vision/image_error.h"
#include "vision/quiet_stderr.h"
#include "vision/rgb_rows.h"

namespace poplens {

Result<cv::Mat> opencv_pixels(FileBytes file, std::string_view name, const ImageInfo& info, int flags) {
  if (file.size() > static_cast<size_t>(std::numeric_limits<int>::max()))
    return image_error(name, "a file of more than 2 GB, which is not read");
  cv::Mat pixels;
  try {
    const QuietStderr quiet;
    const cv::Mat bytes(1, static_cast<int>(file.size()), CV_8UC1, const_cast<std::byte*>(file.data()));
    pixels = cv::imdecode(bytes, flags);
  } catch (const cv::Exception& failure) {
    if (failure.code == cv::Error::StsNoMem) throw std::bad_alloc();
    return undecodable(name, info.format);
  }
  if (pixels.cols != info.width || pixels.rows != info.height) return undecodable(name, info.format);
  return pixels;
}

Result<Image> image_from_bgr(cv::Mat pixels, std::string_view name, ImageFormat format) {
  const int channels = pixels.channels();
  if (pixels.depth() != CV_8U || (channels != 1 && channels != 3 && channels != 4)) return undecodable(name, format);
  Image image = blank_image(pixels.cols, pixels.rows);
  const size_t row_bytes = static_cast<size_t>(pixels.cols) * 3;
  for (int y = 0; y < pixels.rows; ++y)
    to_rgb(pixels.ptr<uint8_t>(y), static_cast<size_t>(pixels.cols), channels, image.rgb.data() + y * row_bytes);
  pixels.release();
  if (channels != 1) swap_red_and_blue(image.rgb.data(), image.rgb.size() / 3);
  return image;
}

}  // namespace poplens
