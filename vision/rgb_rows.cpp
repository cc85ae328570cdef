#include "vision/rgb_rows.h"

#include <algorithm>

namespace poplens {

namespace {

uint8_t on_white(int value, int alpha) {
  return static_cast<uint8_t>((value * alpha + 255 * (255 - alpha) + 127) / 255);
}

}  // namespace

Image blank_image(int width, int height) {
  return Image{width, height, std::vector<uint8_t>(static_cast<size_t>(width) * static_cast<size_t>(height) * 3)};
}

void to_rgb(const uint8_t* samples, size_t pixels, int channels, uint8_t* rgb) {
  switch (channels) {
    case 1:
      for (size_t i = 0; i < pixels; ++i) std::fill_n(rgb + i * 3, 3, samples[i]);
      return;
    case 2:
      for (size_t i = 0; i < pixels; ++i) std::fill_n(rgb + i * 3, 3, on_white(samples[i * 2], samples[i * 2 + 1]));
      return;
    case 3:
      std::copy_n(samples, pixels * 3, rgb);
      return;
    default:
      for (size_t i = 0; i < pixels; ++i)
        for (size_t c = 0; c < 3; ++c) rgb[i * 3 + c] = on_white(samples[i * 4 + c], samples[i * 4 + 3]);
  }
}

void inks_to_rgb(const uint8_t* inks, size_t pixels, uint8_t* rgb) {
  for (size_t i = 0; i < pixels; ++i) {
    const int light = 255 - inks[i * 4 + 3];
    for (size_t c = 0; c < 3; ++c)
      rgb[i * 3 + c] = static_cast<uint8_t>(light - (inks[i * 4 + 2 - c] * light + 127) / 255);
  }
}

void swap_red_and_blue(uint8_t* samples, size_t pixels) {
  for (size_t i = 0; i < pixels; ++i) std::swap(samples[i * 3], samples[i * 3 + 2]);
}

}  // namespace poplens
