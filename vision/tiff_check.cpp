#include "vision/tiff_check.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include <tiffio.h>

#include "vision/image_error.h"

namespace poplens {

namespace {

// A file in memory as libtiff wants it.
struct MemoryFile {
  FileBytes bytes;
  size_t at = 0;
};

tmsize_t read_some(thandle_t handle, void* to, tmsize_t size) {
  auto& file = *static_cast<MemoryFile*>(handle);
  const size_t left = file.bytes.size() - std::min(file.at, file.bytes.size());
  const size_t count = std::min(left, static_cast<size_t>(std::max<tmsize_t>(size, 0)));
  if (count > 0) std::memcpy(to, file.bytes.data() + file.at, count);
  file.at += count;
  return static_cast<tmsize_t>(count);
}

tmsize_t write_nothing(thandle_t, void*, tmsize_t) {
  return 0;
}

toff_t seek_to(thandle_t handle, toff_t offset, int whence) {
  auto& file = *static_cast<MemoryFile*>(handle);
  const size_t base = whence == SEEK_CUR ? file.at : whence == SEEK_END ? file.bytes.size() : 0;
  file.at = base + static_cast<size_t>(offset);
  return file.at;
}

int close_nothing(thandle_t) {
  return 0;
}

toff_t size_of(thandle_t handle) {
  return static_cast<MemoryFile*>(handle)->bytes.size();
}

// What is wrong shows in the results; nothing is printed.
int say_nothing(TIFF*, void*, const char*, const char*, va_list) {
  return 1;
}

using Tiff = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

Tiff open_in_memory(MemoryFile& file) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                 &TIFFOpenOptionsFree);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), say_nothing, nullptr);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), say_nothing, nullptr);
  return {TIFFClientOpenExt("", "rm", &file, read_some, write_nothing, seek_to, close_nothing, size_of, nullptr,
                            nullptr, options.get()),
          &TIFFClose};
}

}  // namespace

Result<void> check_tiff_data(FileBytes file, std::string_view name) {
  MemoryFile memory{file};
  const Tiff tiff = open_in_memory(memory);
  if (!tiff) return undecodable(name, ImageFormat::tiff);
  const bool tiled = TIFFIsTiled(tiff.get()) != 0;
  const uint32_t parts = tiled ? TIFFNumberOfTiles(tiff.get()) : TIFFNumberOfStrips(tiff.get());
  const tmsize_t size = tiled ? TIFFTileSize(tiff.get()) : TIFFStripSize(tiff.get());
  constexpr tmsize_t kMostBytesPerPixel = 8;
  if (size <= 0 || size > kMostBytesPerPixel * kMaxImagePixels) return undecodable(name, ImageFormat::tiff);
  std::vector<uint8_t> samples(static_cast<size_t>(size));
  for (uint32_t part = 0; part < parts; ++part) {
    const tmsize_t decoded = tiled ? TIFFReadEncodedTile(tiff.get(), part, samples.data(), size)
                                   : TIFFReadEncodedStrip(tiff.get(), part, samples.data(), size);
    if (decoded < 0) return undecodable(name, ImageFormat::tiff);
  }
  return {};
}

}  // namespace poplens
