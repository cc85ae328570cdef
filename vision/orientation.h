// How a camera was held: the EXIF orientation, where it is written, and turning pixels upright.
#pragma once

#include <optional>

#include "vision/file_bytes.h"
#include "vision/image.h"

namespace poplens {

// EXIF 2.3, tag 0x0112: 1 upright, 2 mirrored, 3 turned by 180 degrees, 4 flipped, 5 transposed, 6 to be turned
// clockwise, 7 transversed, 8 to be turned counter-clockwise. Anything else means upright.
bool orientation_swaps_sides(int orientation);

// The orientation tag of the first directory of a TIFF structure (the body of an EXIF block, or a whole TIFF file);
// nothing if there is none or the structure is damaged.
std::optional<int> exif_orientation(FileBytes tiff);

// The `tiff:Orientation` of an XMP packet, which counts where EXIF has none (as in Pillow).
std::optional<int> xmp_orientation(FileBytes packet);

Image turn_upright(Image image, int orientation);

}  // namespace poplens
