// Decoded samples of other layouts to RGB.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vision/image.h"

namespace poplens {

// A picture of the given size with room for its pixels; throws std::bad_alloc.
Image blank_image(int width, int height);

// `samples` is [pixels, channels] with 1 grey, 2 grey + alpha, 3 RGB or 4 RGBA; `rgb` is [pixels, 3]. Alpha (0
// transparent to 255) is laid on white, as Pillow's alpha_composite does.
void to_rgb(const uint8_t* samples, size_t pixels, int channels, uint8_t* rgb);

// `inks` is [pixels, 4] in the order yellow, magenta, cyan, black, 255 full ink; `rgb` is [pixels, 3]. Rounded as in
// Pillow.
void inks_to_rgb(const uint8_t* inks, size_t pixels, uint8_t* rgb);

// In place: `pixels` triples of BGR become RGB.
void swap_red_and_blue(uint8_t* samples, size_t pixels);

}  // namespace poplens
