// Resizing in torchvision's own integer arithmetic.
#pragma once

#include "vision/image.h"
#include "vision/resample_weights.h"

namespace poplens {

// The bytes of torchvision's resize(image, [height, width], antialias=True) on an 8-bit CPU tensor: rows first, then
// columns, 8 bits in between, a pass whose size does not change left out. `image` and the new size have at least one
// pixel a side. Extra memory: one picture of [image.height, width].
Image resize(const Image& image, int width, int height, Filter filter);

}  // namespace poplens
