#include "vision/jpeg_decode.h"

#include <csetjmp>
#include <cstdio>
#include <new>
#include <utility>
#include <vector>

#include <jerror.h>
#include <jpeglib.h>

#include "vision/image_error.h"
#include "vision/jpeg_header.h"
#include "vision/rgb_rows.h"

namespace poplens {

namespace {

enum class Outcome { decoded, damaged, no_memory };

// libjpeg leaves a failed call by error_exit, which must not return, and prints by output_message.
struct Errors {
  jpeg_error_mgr manager;  // first: libjpeg hands out a pointer to this one
  std::jmp_buf failed;
};

[[noreturn]] void leave(j_common_ptr jpeg) {
  std::longjmp(reinterpret_cast<Errors*>(jpeg->err)->failed, 1);
}

void stay_silent(j_common_ptr) {}

// The whole picture as [height, width, components] samples, colour as RGB. Nothing here has a destructor that a jump
// out of libjpeg would skip.
Outcome read_samples(FileBytes file, const JpegLayout& layout, uint8_t* samples) {
  jpeg_decompress_struct jpeg{};
  Errors errors;
  jpeg.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = leave;
  errors.manager.output_message = stay_silent;
  if (setjmp(errors.failed) != 0) {
    const bool no_memory = errors.manager.msg_code == JERR_OUT_OF_MEMORY;
    jpeg_destroy_decompress(&jpeg);
    return no_memory ? Outcome::no_memory : Outcome::damaged;
  }
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(file.data()), file.size());
  jpeg_read_header(&jpeg, TRUE);
  const auto columns = static_cast<size_t>(layout.width);
  const auto components = static_cast<size_t>(layout.components);
  bool fits = jpeg.image_width == columns && jpeg.image_height == static_cast<JDIMENSION>(layout.height);
  if (fits) {
    jpeg_start_decompress(&jpeg);
    fits = static_cast<size_t>(jpeg.output_components) == components;
  }
  while (fits && jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = samples + jpeg.output_scanline * columns * components;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_destroy_decompress(&jpeg);
  return fits ? Outcome::decoded : Outcome::damaged;
}

// Cyan, magenta, yellow, black with 0 for full ink, to the order and sense of inks_to_rgb().
void inverted_cmyk_to_inks(std::vector<uint8_t>& samples) {
  for (uint8_t& sample : samples) sample = static_cast<uint8_t>(255 - sample);
  for (size_t i = 0; i < samples.size(); i += 4) std::swap(samples[i], samples[i + 2]);
}

}  // namespace

Result<Image> decode_jpeg(FileBytes file, std::string_view name) {
  POPLENS_TRY(layout, check_whole_jpeg(file, name));
  Image image = blank_image(layout.width, layout.height);
  const size_t pixels = image.rgb.size() / 3;
  std::vector<uint8_t> own_samples;
  if (layout.components != 3) own_samples.resize(pixels * static_cast<size_t>(layout.components));
  uint8_t* samples = layout.components == 3 ? image.rgb.data() : own_samples.data();
  const Outcome outcome = read_samples(file, layout, samples);
  if (outcome == Outcome::no_memory) throw std::bad_alloc();
  if (outcome == Outcome::damaged) return undecodable(name, ImageFormat::jpeg);
  if (layout.components == 4) {
    inverted_cmyk_to_inks(own_samples);
    inks_to_rgb(own_samples.data(), pixels, image.rgb.data());
  } else if (layout.components == 1) {
    to_rgb(own_samples.data(), pixels, 1, image.rgb.data());
  }
  return image;
}

}  // namespace poplens
