// Gemma-3's image processor: every picture is brought to one square size, its pixels become rows of patches.
// Source: transformers models/gemma3 (Gemma3ImageProcessor).
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/session/image_encoder.h"
#include "vision/image.h"
#include "vision/processor_settings.h"
#include "vision/siglip_tower.h"

namespace poplens {

class Gemma3Processor {
 public:
  // Fails if the settings are missing or damaged, or their size is not the tower's.
  static Result<Gemma3Processor> from_folder(const std::filesystem::path& folder, const SiglipSpec& spec);

  // The crops that pan and scan adds to the whole picture, row by row; none where it does not apply.
  std::vector<PictureCrop> pan_and_scan(int width, int height) const;

  // Resized without regard to the aspect ratio, as the reference does.
  Image resize(const Image& image) const;

  // What the reference feeds the tower: [3, image_size, image_size].
  std::vector<float> pixels(const Image& resized) const;
  // Rows [first, first + count) of the same as patches, row by row; columns: channel, y, x.
  void patches(const Image& resized, int64_t first, int64_t count, std::span<float> out) const;

 private:
  Gemma3Processor() = default;

  int image_size_ = 0;
  int patch_size_ = 0;
  Filter filter_ = Filter::bilinear;
  NormalisedValues normalised_{};
  int min_crop_size_ = 0;
  int max_crops_ = 0;
  double min_ratio_ = 0.0;
};

}  // namespace poplens
