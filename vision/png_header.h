// The chunks of a PNG file (ISO/IEC 15948), checked.
#pragma once

#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "vision/file_bytes.h"
#include "vision/image_format.h"

namespace poplens {

struct PngLayout {
  int width = 0, height = 0;  // pixels
  int bit_depth = 0;          // 1, 2, 4, 8, 16
  int color_type = 0;         // 0 grey, 2 RGB, 3 palette, 4 grey + alpha, 6 RGBA
  bool interlaced = false;
  FileBytes header;               // body of IHDR
  FileBytes palette;              // body of PLTE, for color type 3
  FileBytes transparency;         // body of tRNS where it has a meaning, else empty
  std::vector<FileBytes> data;    // bodies of the IDAT chunks
  size_t data_bytes = 0;          // all of them together
  size_t uncompressed_bytes = 0;  // what they must inflate to
  int orientation = 1;            // of eXIf, or of XMP where there is none
};

// Walks all chunks; their lengths, the order, and the header's values are checked, and that the compressed data are
// enough for the size that the header claims. Data checksums are left to decoding.
Result<PngLayout> read_png_layout(FileBytes file, std::string_view name);

// True if the checksum that follows the body of a chunk holds. `body` is a view into `file`.
bool png_checksum_holds(FileBytes body);

Result<ImageInfo> read_png_info(FileBytes file, std::string_view name);

}  // namespace poplens
