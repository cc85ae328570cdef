// Qwen3-VL's image processor: which size a picture is brought to, and its pixels as rows of patches.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "vision/image.h"
#include "vision/processor_settings.h"
#include "vision/resample_weights.h"

namespace poplens {

// How the vision tower cuts pictures, from config.json's vision_config.
struct PatchShape {
  int patch_size = 0;           // P: pixels a side
  int temporal_patch_size = 0;  // T: a still picture is repeated this often
  int merge_size = 0;           // M: patches a side that become one soft token
};

// The settings of preprocessor_config.json or processor_config.json. What the file leaves out has the default of the
// class that it names in transformers (Qwen2VLImageProcessor).
class Qwen3VlProcessor {
 public:
  struct Geometry {
    int width = 0, height = 0;   // pixels that the model sees
    int grid_w = 0, grid_h = 0;  // patches
    int soft_tokens = 0;         // tokens of the language model
  };

  // Reads processor_config.json's `image_processor` if it is there, else preprocessor_config.json. Fails if the file is
  // missing or damaged, disagrees with `shape`, or asks for a step that this processor lacks.
  static Result<Qwen3VlProcessor> from_folder(const std::filesystem::path& folder, const PatchShape& shape);

  // The size for a picture of the given (upright) pixels: `smart_resize` of transformers' qwen2_vl. Fails with the
  // reference's sentence if one side is more than 200 times the other.
  Result<Geometry> geometry(int width, int height) const;

  // The picture in the geometry's size, by the reference's resampling.
  Image resize(const Image& image, const Geometry& geometry) const;

  // Rows [first, first + count) of the reference's pixel_values, whole picture [grid_h * grid_w, values_per_patch()]:
  // row order block_row, block_col, inner_row, inner_col (the M x M patches of one soft token follow one another),
  // column order channel, time, y, x. `out` holds count * values_per_patch() values. `resized` has the geometry's size.
  void patches(const Image& resized, int first, int count, std::span<float> out) const;
  std::vector<float> patches(const Image& resized) const;

  int values_per_patch() const;  // 3 * T * P * P
  const PatchShape& shape() const { return shape_; }

  // At most `tokens` soft tokens a picture (at least 1), apart from pictures so long that one row of tokens is more.
  void set_max_tokens(int tokens);

 private:
  Qwen3VlProcessor() = default;

  PatchShape shape_;
  long long min_pixels_ = 0;
  long long max_pixels_ = 0;
  Filter filter_ = Filter::bicubic;
  NormalisedValues normalised_{};
};

}  // namespace poplens
