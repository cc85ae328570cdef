#include "vision/staged_encoding.h"

#include "engine/base/clock.h"
#include "vision/image_decode.h"
#include "vision/image_format.h"

namespace poplens {

Result<ShownSize> read_shown_size(const Picture& picture) {
  POPLENS_TRY(info, read_image_info(picture.bytes, picture.name));
  return ShownSize{info.oriented_width(), info.oriented_height()};
}

int64_t pixel_bytes(const PictureGeometry& geometry) {
  const int64_t shown = int64_t{geometry.width} * geometry.height;
  const int64_t narrowed = int64_t{geometry.model_width} * geometry.height;
  const int64_t resized = int64_t{geometry.model_width} * geometry.model_height;
  return 3 * (2 * shown + narrowed + resized);
}

Image crop(const Image& image, const PictureCrop& part) {
  Image result{part.width, part.height, {}};
  result.rgb.reserve(static_cast<size_t>(part.width) * static_cast<size_t>(part.height) * 3);
  for (int y = part.y; y < part.y + part.height; ++y) {
    const auto row = image.rgb.begin() + (static_cast<int64_t>(y) * image.width + part.x) * 3;
    result.rgb.insert(result.rgb.end(), row, row + static_cast<int64_t>(part.width) * 3);
  }
  return result;
}

Result<PictureFeatures> encode_in_stages(const Picture& picture, const EncodingSteps& steps,
                                         const EncodeProgress& progress, const std::stop_token& stop) {
  auto start = Clock::now();
  progress.started(Stage::image_decode);
  POPLENS_TRY(image, decode_image(picture.bytes, picture.name));
  if (picture.crop) image = crop(image, *picture.crop);
  progress.finished(Stage::image_decode, ms_since(start));
  if (stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};

  start = Clock::now();
  progress.started(Stage::preprocess);
  const Image resized = steps.resize(image);
  progress.finished(Stage::preprocess, ms_since(start));
  if (stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};

  start = Clock::now();
  progress.started(Stage::vision);
  const auto on_block = [&](int block) { progress.progress(Stage::vision, block, steps.blocks); };
  POPLENS_TRY(features, steps.encode(resized, on_block));
  progress.finished(Stage::vision, ms_since(start));
  return features;
}

}  // namespace poplens
