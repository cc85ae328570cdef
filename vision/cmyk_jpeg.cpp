#include "vision/cmyk_jpeg.h"

#include <algorithm>
#include <array>
#include <vector>

#include "vision/opencv_pixels.h"
#include "vision/rgb_rows.h"

namespace poplens {

namespace {

// A TIFF (6.0, little-endian) whose one strip is `jpeg`; tags in ascending order, each a 32-bit number but for
// BitsPerSample, whose four values stand at the front of the file.
std::vector<std::byte> as_tiff(FileBytes jpeg, int width, int height) {
  struct Tag {
    uint16_t id;
    uint32_t value;
  };
  constexpr uint16_t kBitsPerSample = 258;
  constexpr uint32_t kHeaderBytes = 8, kBitsBytes = 8, kJpegCompression = 7, kRgb = 2, kSamples = 4, kTags = 10;
  constexpr uint32_t kJpegAt = kHeaderBytes + kBitsBytes + 2 + kTags * 12 + 4;
  const auto unsigned_height = static_cast<uint32_t>(height);
  const std::array<Tag, kTags> tags = {{{256, static_cast<uint32_t>(width)},
                                        {257, unsigned_height},
                                        {kBitsPerSample, kHeaderBytes},
                                        {259, kJpegCompression},
                                        {262, kRgb},
                                        {273, kJpegAt},
                                        {277, kSamples},
                                        {278, unsigned_height},
                                        {279, static_cast<uint32_t>(jpeg.size())},
                                        {284, 1}}};
  std::vector<std::byte> out;
  out.reserve(kJpegAt + jpeg.size());
  const auto append = [&](uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i) & 0xff));
  };
  append(0x002a4949, 4);
  append(kHeaderBytes + kBitsBytes, 4);
  for (uint32_t sample = 0; sample < kSamples; ++sample) append(8, 2);
  append(kTags, 2);
  for (const Tag& tag : tags) {
    constexpr uint32_t kShort = 3, kLong = 4;
    append(tag.id, 2);
    append(tag.id == kBitsPerSample ? kShort : kLong, 2);
    append(tag.id == kBitsPerSample ? kSamples : 1, 4);
    append(tag.value, 4);
  }
  append(0, 4);
  out.resize(kJpegAt + jpeg.size());
  std::copy(jpeg.begin(), jpeg.end(), out.begin() + kJpegAt);
  return out;
}

uint8_t clip(int value) {
  return static_cast<uint8_t>(std::clamp(value, 0, 255));
}

// [pixels, 4] in the order Cr, Cb, Y, K to inks in the order yellow, magenta, cyan, black: libjpeg's ycck_cmyk_convert,
// with its 16 fractional bits.
void ycck_to_inks(uint8_t* samples, size_t pixels) {
  constexpr int kHalf = 1 << 15;
  constexpr int kRed = 91881, kGreenOfBlue = 22554, kGreenOfRed = 46802,
                kBlue = 116130;  // 1.402, .34414, .71414, 1.772
  for (size_t i = 0; i < pixels; ++i) {
    uint8_t* sample = samples + i * 4;
    const int cr = sample[0] - 128, cb = sample[1] - 128, y = sample[2];
    sample[0] = clip(255 - (y + ((kBlue * cb + kHalf) >> 16)));
    sample[1] = clip(255 - (y + ((-kGreenOfBlue * cb - kGreenOfRed * cr + kHalf) >> 16)));
    sample[2] = clip(255 - (y + ((kRed * cr + kHalf) >> 16)));
  }
}

}  // namespace

Result<Image> decode_cmyk_jpeg(FileBytes file, std::string_view name, const JpegLayout& jpeg) {
  if (jpeg.subsampled) return undecodable(name, ImageFormat::jpeg);
  const ImageInfo info{ImageFormat::jpeg, jpeg.width, jpeg.height, 1};
  POPLENS_TRY(pixels, opencv_pixels(as_tiff(file, jpeg.width, jpeg.height), name, info, cv::IMREAD_UNCHANGED));
  if (pixels.type() != CV_8UC4) return undecodable(name, ImageFormat::jpeg);
  Image image = blank_image(jpeg.width, jpeg.height);
  const size_t columns = static_cast<size_t>(jpeg.width);
  for (int y = 0; y < jpeg.height; ++y) {
    uint8_t* row = pixels.ptr<uint8_t>(y);
    if (jpeg.adobe_transform == 2) ycck_to_inks(row, columns);
    for (size_t i = 0; i < columns * 4; ++i) row[i] = static_cast<uint8_t>(255 - row[i]);
    inks_to_rgb(row, columns, image.rgb.data() + static_cast<size_t>(y) * columns * 3);
  }
  return image;
}

}  // namespace poplens
