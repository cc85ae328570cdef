#include "vision/bmp_header.h"

#include <cstdlib>

#include "vision/image_error.h"

namespace poplens {

Result<BmpLayout> read_bmp_layout(FileBytes file, std::string_view name) {
  constexpr uint32_t kOldHeader = 12, kWindowsHeader = 40, kHeaderWithAlpha = 56;
  constexpr size_t kMasksAt = 54;
  constexpr uint32_t kRgb = 0, kRle8 = 1, kRle4 = 2, kBitFields = 3;
  if (!holds(file, 0, 18) || !holds(file, 14, read_le32(file, 14))) return image_cut_off(name);
  const uint32_t header_bytes = read_le32(file, 14);
  const bool is_old = header_bytes == kOldHeader;
  if (!is_old && (header_bytes < kWindowsHeader || header_bytes > 124))
    return image_error(name, "a damaged BMP: its header states a length of " + std::to_string(header_bytes) + " bytes");

  const long long width = is_old ? read_le16(file, 18) : static_cast<int32_t>(read_le32(file, 18));
  const long long height = std::llabs(is_old ? read_le16(file, 20) : static_cast<int32_t>(read_le32(file, 22)));
  const int bits = read_le16(file, is_old ? 24 : 28);
  const uint32_t compression = is_old ? kRgb : read_le32(file, 30);
  POPLENS_CHECK(check_image_size(name, width, height));
  if (bits != 1 && bits != 4 && bits != 8 && bits != 16 && bits != 24 && bits != 32)
    return image_error(name, "a damaged BMP: no BMP has " + std::to_string(bits) + " bits a pixel");
  const bool is_rle = (compression == kRle8 && bits == 8) || (compression == kRle4 && bits == 4);
  const bool is_plain = compression == kRgb || (compression == kBitFields && (bits == 16 || bits == 32));
  if (!is_rle && !is_plain)
    return image_error(name, "a BMP of an unknown kind: compression " + std::to_string(compression) + " with " +
                                 std::to_string(bits) + " bits a pixel");

  const size_t data_at = read_le32(file, 10);
  const size_t row_bytes = (static_cast<size_t>(width) * bits + 31) / 32 * 4;
  // A run of 255 pixels takes two bytes.
  const size_t least_bytes = is_rle ? static_cast<size_t>(width * height) * 2 / 255 : row_bytes * height;
  if (!holds(file, data_at, least_bytes)) return image_cut_off(name);

  BmpLayout bmp{.width = static_cast<int>(width), .height = static_cast<int>(height), .bits_per_pixel = bits};
  if (compression == kBitFields) {
    if (!holds(file, kMasksAt, 12)) return image_cut_off(name);
    bmp.has_masks = true;
    bmp.has_alpha = header_bytes >= kHeaderWithAlpha && read_le32(file, kMasksAt + 12) != 0;
    if (read_le32(file, kMasksAt + 4) == 0x07e0) bmp.green_bits = 6;
  }
  return bmp;
}

Result<ImageInfo> read_bmp_info(FileBytes file, std::string_view name) {
  POPLENS_TRY(bmp, read_bmp_layout(file, name));
  return ImageInfo{ImageFormat::bmp, bmp.width, bmp.height, 1};
}

}  // namespace poplens
