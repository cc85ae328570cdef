#include <algorithm>
#include <utility>
#include <vector>

#include "vision/image_error.h"
#include "vision/opencv_decode.h"
#include "vision/opencv_pixels.h"
#include "vision/rgb_rows.h"
#include "vision/tiff_check.h"
#include "vision/tiff_header.h"

namespace poplens {

namespace {

// A copy of the file that OpenCV leaves as it is stored: it would turn the picture itself, and CMYK goes through as if
// it were RGB with a fourth sample, since libtiff's own conversion cuts fractions off.
std::vector<std::byte> neutral_copy(FileBytes file, const TiffLayout& tiff) {
  std::vector<std::byte> copy(file.begin(), file.end());
  const auto write = [&](size_t at, uint8_t value) {
    copy[at] = static_cast<std::byte>(tiff.little_endian ? value : 0);
    copy[at + 1] = static_cast<std::byte>(tiff.little_endian ? 0 : value);
  };
  if (tiff.orientation_at != 0) write(tiff.orientation_at, 1);
  if (tiff.photometric == TiffPhotometric::cmyk) write(tiff.photometric_at, static_cast<uint8_t>(TiffPhotometric::rgb));
  return copy;
}

uint8_t clip(int value) {
  return static_cast<uint8_t>(std::clamp(value, 0, 255));
}

enum class Alpha { ignored, straight, multiplied_in };

// [pixels, 4] of BGRA to RGB on white.
void bgra_to_rgb(const uint8_t* bgra, size_t pixels, Alpha alpha, uint8_t* rgb) {
  for (size_t i = 0; i < pixels; ++i) {
    const uint8_t sample[4] = {bgra[i * 4 + 2], bgra[i * 4 + 1], bgra[i * 4], bgra[i * 4 + 3]};
    switch (alpha) {
      case Alpha::ignored:
        std::copy_n(sample, 3, rgb + i * 3);
        break;
      case Alpha::straight:
        to_rgb(sample, 1, 4, rgb + i * 3);
        break;
      case Alpha::multiplied_in:
        for (size_t c = 0; c < 3; ++c) rgb[i * 3 + c] = clip(sample[c] + 255 - sample[3]);
    }
  }
}

// How the fourth sample is to be taken. libtiff multiplies 8-bit colours by an alpha that the file calls alpha.
Alpha alpha_of(const TiffLayout& tiff) {
  switch (tiff.extra_sample) {
    case TiffExtraSample::unstated:
      return Alpha::straight;
    case TiffExtraSample::unspecified:
      return Alpha::ignored;
    case TiffExtraSample::alpha_multiplied_in:
      return Alpha::multiplied_in;
    case TiffExtraSample::alpha:
      return tiff.bits_per_sample == 8 ? Alpha::multiplied_in : Alpha::straight;
  }
  return Alpha::ignored;
}

// 16-bit samples to their high bytes, in 8 bits.
cv::Mat high_bytes(const cv::Mat& pixels) {
  cv::Mat high(pixels.rows, pixels.cols, CV_MAKETYPE(CV_8U, pixels.channels()));
  const int samples = pixels.cols * pixels.channels();
  for (int y = 0; y < pixels.rows; ++y) {
    const uint16_t* from = pixels.ptr<uint16_t>(y);
    uint8_t* to = high.ptr<uint8_t>(y);
    for (int i = 0; i < samples; ++i) to[i] = static_cast<uint8_t>(from[i] >> 8);
  }
  return high;
}

}  // namespace

Result<Image> decode_tiff(FileBytes file, std::string_view name) {
  POPLENS_TRY(tiff, read_tiff_layout(file, name));
  POPLENS_CHECK(check_tiff_data(file, name));
  const ImageInfo info{ImageFormat::tiff, tiff.width, tiff.height, 1};
  const std::vector<std::byte> copy = neutral_copy(file, tiff);
  if (tiff.samples_per_pixel != 4) {
    POPLENS_TRY(pixels, opencv_pixels(copy, name, info, kOpenCvColor));
    return image_from_bgr(std::move(pixels), name, ImageFormat::tiff);
  }

  POPLENS_TRY(pixels, opencv_pixels(copy, name, info, cv::IMREAD_UNCHANGED));
  if (pixels.depth() == CV_16U) pixels = high_bytes(pixels);
  if (pixels.type() != CV_8UC4) return undecodable(name, ImageFormat::tiff);
  Image image = blank_image(tiff.width, tiff.height);
  for (int y = 0; y < tiff.height; ++y) {
    const uint8_t* row = pixels.ptr<uint8_t>(y);
    uint8_t* out = image.rgb.data() + static_cast<size_t>(y) * tiff.width * 3;
    const size_t columns = static_cast<size_t>(tiff.width);
    tiff.photometric == TiffPhotometric::cmyk ? inks_to_rgb(row, columns, out)
                                              : bgra_to_rgb(row, columns, alpha_of(tiff), out);
  }
  return image;
}

}  // namespace poplens
