#include "vision/stb_decode.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "vision/gif_header.h"
#include "vision/image_error.h"
#include "vision/image_format.h"
#include "vision/png_header.h"
#include "vision/rgb_rows.h"

namespace {

// stb_image doubles its output buffer for as long as compressed data keep coming, up to 4 GB. Each block remembers here
// how large it was asked for at first (for a PNG: what the header implies) and may not grow much past that.
struct alignas(std::max_align_t) BlockHeader {
  size_t first_bytes;
};

void* stb_allocate(size_t bytes) {
  void* block = std::malloc(sizeof(BlockHeader) + bytes);
  if (block == nullptr) return nullptr;
  return new (block) BlockHeader{bytes} + 1;
}

void stb_free(void* memory) {
  if (memory != nullptr) std::free(static_cast<BlockHeader*>(memory) - 1);
}

void* stb_reallocate(void* memory, size_t bytes) {
  if (memory == nullptr) return stb_allocate(bytes);
  constexpr size_t kSlackBytes = 1 << 16;
  BlockHeader* header = static_cast<BlockHeader*>(memory) - 1;
  if (bytes > header->first_bytes * 2 + kSlackBytes) return nullptr;
  void* block = std::realloc(header, sizeof(BlockHeader) + bytes);
  return block == nullptr ? nullptr : static_cast<BlockHeader*>(block) + 1;
}

}  // namespace

#define STBI_MALLOC(bytes) stb_allocate(bytes)
#define STBI_REALLOC(memory, bytes) stb_reallocate(memory, bytes)
#define STBI_FREE(memory) stb_free(memory)
#define STBI_ONLY_PNG
#define STBI_ONLY_GIF
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_NO_FAILURE_STRINGS
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#pragma GCC diagnostic push
#ifndef __clang__  // which has no such warning, and warns of that
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace poplens {

namespace {

struct StbFree {
  void operator()(stbi_uc* memory) const { stbi_image_free(memory); }
};

struct Samples {
  int width = 0, height = 0, channels = 0;
  std::unique_ptr<stbi_uc, StbFree> values;  // [height, width, channels]
};

Result<Samples> decode(FileBytes file, std::string_view name, ImageFormat format) {
  Samples samples;
  samples.values.reset(stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(file.data()),
                                             static_cast<int>(file.size()), &samples.width, &samples.height,
                                             &samples.channels, 0));
  if (!samples.values)
    return image_error(name, "a damaged " + std::string(format_name(format)) + ": its data cannot be decoded");
  return samples;
}

Image on_white(const Samples& samples) {
  Image image = blank_image(samples.width, samples.height);
  to_rgb(samples.values.get(), static_cast<size_t>(samples.width) * samples.height, samples.channels, image.rgb.data());
  return image;
}

void append(std::vector<std::byte>& out, FileBytes bytes) {
  const size_t at = out.size();
  out.resize(at + bytes.size());
  if (!bytes.empty()) std::memcpy(out.data() + at, bytes.data(), bytes.size());
}

void append_be32(std::vector<std::byte>& out, size_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::byte>(value >> shift & 0xff));
}

// stb_image does not look at checksums; they stay zero.
void append_chunk(std::vector<std::byte>& out, std::string_view type, std::span<const FileBytes> bodies) {
  size_t length = 0;
  for (const FileBytes body : bodies) length += body.size();
  append_be32(out, length);
  append(out, std::as_bytes(std::span(type)));
  for (const FileBytes body : bodies) append(out, body);
  append_be32(out, 0);
}

// Only what the pixels depend on, as stb_image takes it best: one data chunk, and a palette of 256 entries, since
// stb_image does not check indices. Entries that the file lacks are greys, as in Pillow.
constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";

std::vector<std::byte> essence(const PngLayout& png) {
  std::vector<std::byte> out;
  out.reserve(png.data_bytes + 2048);
  append(out, std::as_bytes(std::span(kSignature)));
  append_chunk(out, "IHDR", {&png.header, 1});
  if (png.color_type == 3) {
    std::vector<std::byte> palette(png.palette.begin(), png.palette.end());
    for (size_t i = palette.size() / 3; i < 256; ++i) palette.resize(palette.size() + 3, static_cast<std::byte>(i));
    const FileBytes body = palette;
    append_chunk(out, "PLTE", {&body, 1});
  }
  if (!png.transparency.empty()) append_chunk(out, "tRNS", {&png.transparency, 1});
  append_chunk(out, "IDAT", png.data);
  append_chunk(out, "IEND", {});
  return out;
}

// The first frame alone, as a GIF that it fills. The background's index is 0: with another, stb_image would paint that
// colour over transparent pixels.
std::vector<std::byte> lone_frame(FileBytes file, const GifLayout& gif) {
  std::vector<std::byte> out(file.begin(), file.begin() + static_cast<ptrdiff_t>(gif.frame_end));
  constexpr size_t kScreenSizeAt = 6, kBackgroundAt = 11;
  constexpr uint8_t kTrailer = 0x3b;
  std::memcpy(out.data() + kScreenSizeAt, file.data() + gif.frame_at + 5, 4);
  out[kBackgroundAt] = std::byte{0};
  std::memset(out.data() + gif.frame_at + 1, 0, 4);
  out.push_back(std::byte{kTrailer});
  return out;
}

// What the first frame leaves uncovered is transparent if it has a transparent colour, else of the palette's first
// colour, as in Pillow. `frame` is [frame_height, frame_width, 4], its uncovered pixels transparent.
Image gif_canvas(const Samples& frame, const GifLayout& gif) {
  uint8_t blank[3] = {255, 255, 255};
  if (!gif.has_transparent_color)
    for (size_t c = 0; c < 3; ++c) blank[c] = read_u8(gif.palette, c);
  Image canvas = blank_image(gif.width, gif.height);
  for (size_t i = 0; i < canvas.rgb.size(); i += 3) std::memcpy(canvas.rgb.data() + i, blank, 3);
  for (int y = 0; y < gif.frame_height; ++y) {
    const size_t row = static_cast<size_t>(y);
    const stbi_uc* from = frame.values.get() + row * gif.frame_width * 4;
    uint8_t* to = canvas.rgb.data() + ((row + gif.frame_y) * gif.width + gif.frame_x) * 3;
    for (int x = 0; x < gif.frame_width; ++x)
      if (from[x * 4 + 3] != 0) std::memcpy(to + x * 3, from + x * 4, 3);
  }
  return canvas;
}

constexpr size_t kMostBytes = std::numeric_limits<int>::max() / 2;

}  // namespace

Result<Image> decode_png(FileBytes file, std::string_view name) {
  POPLENS_TRY(png, read_png_layout(file, name));
  if (png.data_bytes > kMostBytes) return image_error(name, "a PNG with more than 1 GB of data, which is not read");
  for (const FileBytes body : png.data)
    if (!png_checksum_holds(body)) return image_error(name, "a damaged PNG: the checksum of its data is wrong");
  if (!png.palette.empty() && !png_checksum_holds(png.palette))
    return image_error(name, "a damaged PNG: the checksum of its palette is wrong");
  POPLENS_TRY(samples, decode(essence(png), name, ImageFormat::png));
  return on_white(samples);
}

Result<Image> decode_gif(FileBytes file, std::string_view name) {
  POPLENS_TRY(gif, read_gif_layout(file, name));
  if (gif.frame_end > kMostBytes) return image_error(name, "a GIF of more than 1 GB, which is not read");
  POPLENS_TRY(frame, decode(lone_frame(file, gif), name, ImageFormat::gif));
  if (frame.width != gif.frame_width || frame.height != gif.frame_height || frame.channels != 4)
    return image_error(name, "a damaged GIF: its data cannot be decoded");
  return gif_canvas(frame, gif);
}

}  // namespace poplens
