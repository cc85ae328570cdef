// The pixel value that the whole room hands around.
#pragma once

#include <cstdint>
#include <vector>

namespace poplens {

// 8-bit RGB without alpha, upright. `rgb` is [height, width, 3], row-major, no padding between rows.
struct Image {
  int width = 0;   // pixels
  int height = 0;  // pixels
  std::vector<uint8_t> rgb;
};

}  // namespace poplens
