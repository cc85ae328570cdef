// The stages that every family's picture encoder goes through: decode, bring to size, vision tower.
#pragma once

#include <functional>
#include <stop_token>

#include "engine/session/image_encoder.h"
#include "vision/image.h"

namespace poplens {

// The picture's size as shown (orientation applied), from its header.
struct ShownSize {
  int width = 0;
  int height = 0;
};
Result<ShownSize> read_shown_size(const Picture& picture);

// Bytes that the picture itself takes at the most on its way to the tower: decoded (a decoder's own copy beside ours),
// half and wholly resized.
int64_t pixel_bytes(const PictureGeometry& geometry);

// The part of `image` inside `part`, which lies within it.
Image crop(const Image& image, const PictureCrop& part);

struct EncodingSteps {
  std::function<Image(const Image& decoded)> resize;
  // Runs the tower; calls on_block(i) before block i.
  std::function<Result<PictureFeatures>(const Image& resized, const std::function<void(int)>& on_block)> encode;
  int blocks = 0;
};

// Decodes the picture (the part of it that `picture.crop` names) and takes it through the steps, telling `progress` of
// every stage. A stop takes effect between stages, and inside `encode` as that decides.
Result<PictureFeatures> encode_in_stages(const Picture& picture, const EncodingSteps& steps,
                                         const EncodeProgress& progress, const std::stop_token& stop);

}  // namespace poplens
