#include "vision/gemma3_processor.h"

#include <algorithm>
#include <cmath>

#include "vision/resize.h"

namespace poplens {
namespace {

constexpr int64_t kMostSide = 1 << 14;
constexpr int64_t kMostCrops = 64;

Result<void> check_size(const JsonObject& settings, int image_size) {
  if (!settings.has("size")) return {};
  POPLENS_TRY(size, settings.object("size"));
  for (const char* side : {"height", "width"}) {
    POPLENS_TRY(value, size.integer(side, 1, kMostSide));
    if (value != image_size) {
      return Error{size.where() + ": '" + side + "' is " + std::to_string(value) + ", but the vision tower sees " +
                   std::to_string(image_size) + " pixels a side"};
    }
  }
  return {};
}

}  // namespace

Result<Gemma3Processor> Gemma3Processor::from_folder(const std::filesystem::path& folder, const SiglipSpec& spec) {
  POPLENS_TRY(settings, read_processor_settings(folder));
  POPLENS_CHECK(check_processor_steps(settings));
  POPLENS_CHECK(check_size(settings, spec.image_size));
  POPLENS_TRY(filter, read_filter(settings, Filter::bilinear));
  POPLENS_TRY(normalised, read_normalised_values(settings, {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}));
  POPLENS_TRY(min_crop, settings.integer("pan_and_scan_min_crop_size", 1, kMostSide, 256));
  POPLENS_TRY(max_crops, settings.integer("pan_and_scan_max_num_crops", 1, kMostCrops, 4));
  POPLENS_TRY(min_ratio, settings.number("pan_and_scan_min_ratio_to_activate", 1.2));

  Gemma3Processor processor;
  processor.image_size_ = spec.image_size;
  processor.patch_size_ = spec.patch_size;
  processor.filter_ = filter;
  processor.normalised_ = normalised;
  processor.min_crop_size_ = static_cast<int>(min_crop);
  processor.max_crops_ = static_cast<int>(max_crops);
  processor.min_ratio_ = min_ratio;
  return processor;
}

std::vector<PictureCrop> Gemma3Processor::pan_and_scan(int width, int height) const {
  const bool landscape = width >= height;
  const int longer = landscape ? width : height;
  const int shorter = landscape ? height : width;
  const double ratio = static_cast<double>(longer) / shorter;
  if (ratio < min_ratio_) return {};
  int count = static_cast<int>(std::floor(ratio + 0.5));
  count = std::min(longer / min_crop_size_, count);
  count = std::clamp(count, 2, std::max(2, max_crops_));
  count = std::min(count, max_crops_);
  const int length = (longer + count - 1) / count;
  if (std::min(length, shorter) < min_crop_size_) return {};

  std::vector<PictureCrop> crops;
  for (int i = 0; i < count; ++i) {
    const int begin = length * i;
    const int extent = std::min(length, longer - begin);
    crops.push_back(landscape ? PictureCrop{begin, 0, extent, height} : PictureCrop{0, begin, width, extent});
  }
  return crops;
}

Image Gemma3Processor::resize(const Image& image) const {
  return poplens::resize(image, image_size_, image_size_, filter_);
}

std::vector<float> Gemma3Processor::pixels(const Image& resized) const {
  const size_t plane = static_cast<size_t>(image_size_) * static_cast<size_t>(image_size_);
  std::vector<float> values(3 * plane);
  for (size_t c = 0; c < 3; ++c) {
    for (size_t i = 0; i < plane; ++i) values[c * plane + i] = normalised_[c][resized.rgb[3 * i + c]];
  }
  return values;
}

void Gemma3Processor::patches(const Image& resized, int64_t first, int64_t count, std::span<float> out) const {
  const int64_t per_row = image_size_ / patch_size_;
  float* to = out.data();
  for (int64_t patch = first; patch < first + count; ++patch) {
    const int64_t top = patch / per_row * patch_size_;
    const int64_t left = patch % per_row * patch_size_;
    for (size_t c = 0; c < 3; ++c) {
      for (int64_t y = top; y < top + patch_size_; ++y) {
        const uint8_t* from = resized.rgb.data() + (y * image_size_ + left) * 3 + static_cast<int64_t>(c);
        for (int64_t x = 0; x < patch_size_; ++x) *to++ = normalised_[c][from[3 * x]];
      }
    }
  }
}

}  // namespace poplens
