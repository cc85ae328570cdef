#include "vision/opencv_decode.h"

#include <utility>

#include "vision/bmp_header.h"
#include "vision/opencv_pixels.h"
#include "vision/webp_header.h"

namespace poplens {

namespace {

// OpenCV fills 5- and 6-bit samples up with zeros, so that white becomes 248; the whole range is wanted, rounded down
// as in Pillow.
void stretch_samples(Image& image, int green_bits) {
  for (size_t i = 0; i < image.rgb.size(); ++i) {
    const int bits = i % 3 == 1 ? green_bits : 5;
    image.rgb[i] = static_cast<uint8_t>((image.rgb[i] >> (8 - bits)) * 255 / ((1 << bits) - 1));
  }
}

void drop_alpha(cv::Mat& pixels) {
  for (int y = 0; y < pixels.rows; ++y) {
    uint8_t* row = pixels.ptr<uint8_t>(y);
    for (int x = 0; x < pixels.cols; ++x) row[x * 4 + 3] = 255;
  }
}

}  // namespace

Result<Image> decode_webp(FileBytes file, std::string_view name) {
  POPLENS_TRY(info, read_webp_info(file, name));
  POPLENS_TRY(pixels, opencv_pixels(file, name, info, cv::IMREAD_UNCHANGED));
  return image_from_bgr(std::move(pixels), name, ImageFormat::webp);
}

Result<Image> decode_bmp(FileBytes file, std::string_view name) {
  POPLENS_TRY(bmp, read_bmp_layout(file, name));
  const ImageInfo info{ImageFormat::bmp, bmp.width, bmp.height, 1};
  // Only unchanged does OpenCV heed the masks of 32-bit pixels.
  const bool masked = bmp.bits_per_pixel == 32 && bmp.has_masks;
  POPLENS_TRY(pixels, opencv_pixels(file, name, info, masked ? cv::IMREAD_UNCHANGED : kOpenCvColor));
  if (pixels.channels() == 4 && !bmp.has_alpha) drop_alpha(pixels);
  POPLENS_TRY(image, image_from_bgr(std::move(pixels), name, ImageFormat::bmp));
  if (bmp.bits_per_pixel == 16) stretch_samples(image, bmp.green_bits);
  return image;
}

}  // namespace poplens
