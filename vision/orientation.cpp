#include "vision/orientation.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace poplens {

namespace {

// Where the upright picture's pixels lie in the stored one: pixel (x, y) is at first + x * step_x + y * step_y.
struct Walk {
  ptrdiff_t first, step_x, step_y;
};

Walk walk_of(int orientation, ptrdiff_t width, ptrdiff_t height) {
  switch (orientation) {
    case 2:
      return {width - 1, -1, width};
    case 3:
      return {width * height - 1, -1, -width};
    case 4:
      return {width * (height - 1), 1, -width};
    case 5:
      return {0, width, 1};
    case 6:
      return {width * (height - 1), -width, 1};
    case 7:
      return {width * height - 1, -width, -1};
    case 8:
      return {width - 1, width, -1};
    default:
      return {0, 1, width};
  }
}

// Side of the square that is turned at a time, so that both pictures' rows stay in the cache.
constexpr int kTile = 32;

}  // namespace

bool orientation_swaps_sides(int orientation) {
  return orientation >= 5 && orientation <= 8;
}

std::optional<int> exif_orientation(FileBytes tiff) {
  if (!holds(tiff, 0, 8)) return {};
  const bool little = has_tag(tiff, 0, "II");
  if (!little && !has_tag(tiff, 0, "MM")) return {};
  const auto u16 = [&](size_t offset) { return little ? read_le16(tiff, offset) : read_be16(tiff, offset); };
  const auto u32 = [&](size_t offset) { return little ? read_le32(tiff, offset) : read_be32(tiff, offset); };
  if (u16(2) != 42) return {};

  const size_t directory = u32(4);
  if (!holds(tiff, directory, 2)) return {};
  const size_t entries = u16(directory);
  for (size_t i = 0; i < entries; ++i) {
    const size_t entry = directory + 2 + i * 12;
    if (!holds(tiff, entry, 12)) return {};
    if (u16(entry) != 0x0112) continue;
    constexpr uint16_t kShort = 3, kLong = 4;
    if (u32(entry + 4) < 1) return {};
    if (u16(entry + 2) == kShort) return u16(entry + 8);
    if (u16(entry + 2) == kLong) return static_cast<int>(std::min<uint32_t>(u32(entry + 8), 65535));
    return {};
  }
  return {};
}

std::optional<int> xmp_orientation(FileBytes packet) {
  const std::string_view text(reinterpret_cast<const char*>(packet.data()), packet.size());
  constexpr std::string_view kName = "tiff:Orientation";
  for (size_t at = text.find(kName); at != text.npos; at = text.find(kName, at + 1)) {
    std::string_view rest = text.substr(at + kName.size());
    if (rest.starts_with("=\"")) {
      rest.remove_prefix(2);
    } else if (rest.starts_with('>')) {
      rest.remove_prefix(1);
    } else {
      continue;
    }
    if (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') return rest[0] - '0';
  }
  return {};
}

Image turn_upright(Image image, int orientation) {
  if (orientation < 2 || orientation > 8) return image;
  const Walk walk = walk_of(orientation, image.width, image.height);
  Image upright{image.width, image.height, std::vector<uint8_t>(image.rgb.size())};
  if (orientation_swaps_sides(orientation)) std::swap(upright.width, upright.height);

  for (int tile_y = 0; tile_y < upright.height; tile_y += kTile) {
    for (int tile_x = 0; tile_x < upright.width; tile_x += kTile) {
      const int end_y = std::min(tile_y + kTile, upright.height);
      const int end_x = std::min(tile_x + kTile, upright.width);
      for (int y = tile_y; y < end_y; ++y) {
        uint8_t* out = upright.rgb.data() + (static_cast<size_t>(y) * upright.width + tile_x) * 3;
        auto in = walk.first + tile_x * walk.step_x + y * walk.step_y;
        for (int x = tile_x; x < end_x; ++x, out += 3, in += walk.step_x) {
          std::memcpy(out, image.rgb.data() + in * 3, 3);
        }
      }
    }
  }
  return upright;
}

}  // namespace poplens
