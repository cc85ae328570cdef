#include "vision/opencv_decode.h"

#include <limits>
#include <new>

#include <opencv2/imgcodecs.hpp>

#include "vision/bmp_header.h"
#include "vision/image_error.h"
#include "vision/image_format.h"
#include "vision/jpeg_header.h"
#include "vision/quiet_stderr.h"
#include "vision/rgb_rows.h"
#include "vision/tiff_header.h"
#include "vision/webp_header.h"

namespace poplens {

namespace {

Error undecodable(std::string_view name, ImageFormat format) {
  return image_error(name, "a damaged " + std::string(format_name(format)) + ": its data cannot be decoded");
}

// What OpenCV makes of the whole file: 8-bit samples of the expected size, unturned.
Result<cv::Mat> decode(FileBytes file, std::string_view name, const ImageInfo& info, int flags) {
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

// [height, width] of BGR, BGRA or grey samples to RGB on white.
Result<Image> from_bgr(cv::Mat pixels, std::string_view name, ImageFormat format) {
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

constexpr int kColor = cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION;

}  // namespace

Result<Image> decode_jpeg(FileBytes file, std::string_view name) {
  POPLENS_TRY(jpeg, check_whole_jpeg(file, name));
  POPLENS_TRY(pixels, decode(file, name, {ImageFormat::jpeg, jpeg.width, jpeg.height, 1}, kColor));
  return from_bgr(std::move(pixels), name, ImageFormat::jpeg);
}

Result<Image> decode_webp(FileBytes file, std::string_view name) {
  POPLENS_TRY(info, read_webp_info(file, name));
  POPLENS_TRY(pixels, decode(file, name, info, cv::IMREAD_UNCHANGED));
  return from_bgr(std::move(pixels), name, ImageFormat::webp);
}

Result<Image> decode_tiff(FileBytes file, std::string_view name) {
  POPLENS_TRY(tiff, read_tiff_layout(file, name));
  POPLENS_TRY(pixels, decode(file, name, {ImageFormat::tiff, tiff.width, tiff.height, 1}, kColor));
  return from_bgr(std::move(pixels), name, ImageFormat::tiff);
}

Result<Image> decode_bmp(FileBytes file, std::string_view name) {
  POPLENS_TRY(info, read_bmp_info(file, name));
  POPLENS_TRY(pixels, decode(file, name, info, kColor));
  return from_bgr(std::move(pixels), name, ImageFormat::bmp);
}

}  // namespace poplens
