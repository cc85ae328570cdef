#include "vision/qwen3_vl_processor.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "vision/processor_settings.h"
#include "vision/resize.h"

namespace poplens {

namespace {

// More pixels than any published setting; keeps the products below far from overflow.
constexpr int64_t kMostPixels = int64_t{1} << 28;

Result<void> check_shape(const JsonObject& settings, const PatchShape& shape) {
  struct Entry {
    const char* key;
    int class_default, expected, most;
  };
  const Entry entries[] = {{"patch_size", 14, shape.patch_size, 256},
                           {"temporal_patch_size", 2, shape.temporal_patch_size, 16},
                           {"merge_size", 2, shape.merge_size, 16}};
  for (const Entry& entry : entries) {
    POPLENS_TRY(value, settings.integer(entry.key, 1, entry.most, entry.class_default));
    if (value != entry.expected)
      return Error{settings.where() + ": '" + entry.key + "' is " + std::to_string(value) +
                   ", but the model's vision_config says " + std::to_string(entry.expected)};
  }
  return {};
}

struct PixelRange {
  int64_t least, most;
};

// `size` holds pixel counts under the names of edges; the older `min_pixels` and `max_pixels` win over it.
Result<PixelRange> read_pixel_range(const JsonObject& settings) {
  PixelRange range{56 * 56, 28 * 28 * 1280};
  if (settings.has("size")) {
    POPLENS_TRY(size, settings.object("size"));
    const bool older_least = settings.has("min_pixels"), older_most = settings.has("max_pixels");
    POPLENS_TRY(least, size.integer("shortest_edge", 1, kMostPixels,
                                    older_least ? std::optional<int64_t>(range.least) : std::nullopt));
    POPLENS_TRY(most, size.integer("longest_edge", 1, kMostPixels,
                                   older_most ? std::optional<int64_t>(range.most) : std::nullopt));
    range = {least, most};
  }
  POPLENS_TRY(least, settings.integer("min_pixels", 1, kMostPixels, range.least));
  POPLENS_TRY(most, settings.integer("max_pixels", 1, kMostPixels, range.most));
  return PixelRange{least, most};
}

// Python's repr of a double between 1e-4 and 1e16.
std::string python_repr(double value) {
  char digits[64];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value, std::chars_format::fixed).ptr;
  std::string text(digits, end);
  return text.find('.') == text.npos ? text + ".0" : text;
}

}  // namespace

Result<Qwen3VlProcessor> Qwen3VlProcessor::from_folder(const std::filesystem::path& folder, const PatchShape& shape) {
  POPLENS_TRY(settings, read_processor_settings(folder));
  POPLENS_CHECK(check_processor_steps(settings));
  POPLENS_CHECK(check_shape(settings, shape));
  POPLENS_TRY(filter, read_filter(settings, Filter::bicubic));
  POPLENS_TRY(range, read_pixel_range(settings));
  POPLENS_TRY(normalised, read_normalised_values(settings, {0.48145466, 0.4578275, 0.40821073},
                                                 {0.26862954, 0.26130258, 0.27577711}));

  Qwen3VlProcessor processor;
  processor.shape_ = shape;
  processor.min_pixels_ = range.least;
  processor.max_pixels_ = range.most;
  processor.filter_ = filter;
  processor.normalised_ = normalised;
  return processor;
}

Result<Qwen3VlProcessor::Geometry> Qwen3VlProcessor::geometry(int width, int height) const {
  if (width < 1 || height < 1) return Error{"a picture without pixels has no patches"};
  const double ratio = static_cast<double>(std::max(width, height)) / std::min(width, height);
  if (ratio > 200.0) return Error{"absolute aspect ratio must be smaller than 200, got " + python_repr(ratio)};

  const double factor = shape_.patch_size * shape_.merge_size;
  const double pixels = static_cast<double>(width) * height;
  // Halves go to the even multiple, as Python's round does.
  double model_height = std::nearbyint(height / factor) * factor;
  double model_width = std::nearbyint(width / factor) * factor;
  if (model_height * model_width > static_cast<double>(max_pixels_)) {
    const double beta = std::sqrt(pixels / static_cast<double>(max_pixels_));
    model_height = std::max(factor, std::floor(height / beta / factor) * factor);
    model_width = std::max(factor, std::floor(width / beta / factor) * factor);
  } else if (model_height * model_width < static_cast<double>(min_pixels_)) {
    const double beta = std::sqrt(static_cast<double>(min_pixels_) / pixels);
    model_height = std::ceil(height * beta / factor) * factor;
    model_width = std::ceil(width * beta / factor) * factor;
  }
  // A side of 0 is left only where min_pixels is below one soft token.
  model_height = std::max(model_height, factor);
  model_width = std::max(model_width, factor);

  Geometry geometry;
  geometry.width = static_cast<int>(model_width);
  geometry.height = static_cast<int>(model_height);
  geometry.grid_w = geometry.width / shape_.patch_size;
  geometry.grid_h = geometry.height / shape_.patch_size;
  geometry.soft_tokens = (geometry.grid_w / shape_.merge_size) * (geometry.grid_h / shape_.merge_size);
  return geometry;
}

Image Qwen3VlProcessor::resize(const Image& image, const Geometry& geometry) const {
  return poplens::resize(image, geometry.width, geometry.height, filter_);
}

int Qwen3VlProcessor::values_per_patch() const {
  return 3 * shape_.temporal_patch_size * shape_.patch_size * shape_.patch_size;
}

void Qwen3VlProcessor::patches(const Image& resized, int first, int count, std::span<float> out) const {
  const int size = shape_.patch_size, merge = shape_.merge_size;
  const int blocks_per_row = resized.width / (size * merge);
  const size_t slice_values = static_cast<size_t>(size) * size;
  float* to = out.data();
  for (int row = first; row < first + count; ++row) {
    const int block = row / (merge * merge), inner = row % (merge * merge);
    const int patch_y = block / blocks_per_row * merge + inner / merge;
    const int patch_x = block % blocks_per_row * merge + inner % merge;
    const size_t corner =
        (static_cast<size_t>(patch_y) * size * resized.width + static_cast<size_t>(patch_x) * size) * 3;
    for (size_t c = 0; c < 3; ++c) {
      const float* slice = to;
      for (int y = 0; y < size; ++y) {
        const uint8_t* from = resized.rgb.data() + corner + static_cast<size_t>(y) * resized.width * 3 + c;
        for (int x = 0; x < size; ++x) *to++ = normalised_[c][from[x * 3]];
      }
      for (int time = 1; time < shape_.temporal_patch_size; ++time) to = std::copy_n(slice, slice_values, to);
    }
  }
}

std::vector<float> Qwen3VlProcessor::patches(const Image& resized) const {
  const int count = (resized.width / shape_.patch_size) * (resized.height / shape_.patch_size);
  std::vector<float> rows(static_cast<size_t>(count) * values_per_patch());
  patches(resized, 0, count, rows);
  return rows;
}

void Qwen3VlProcessor::set_max_tokens(int tokens) {
  const int64_t token_pixels =
      int64_t{1} * shape_.patch_size * shape_.merge_size * shape_.patch_size * shape_.merge_size;
  max_pixels_ = std::min<int64_t>(std::max(tokens, 1) * token_pixels, kMostPixels);
  min_pixels_ = std::min(min_pixels_, max_pixels_);
}

}  // namespace poplens
