#include "vision/qwen3_vl_positions.h"

#include <algorithm>
#include <cmath>

#include "engine/model/config_fields.h"

namespace poplens {
namespace {

constexpr double kRotaryTheta = 10000.0;

// Source coordinate of one grid line, in single precision as the reference computes it.
struct TablePoint {
  int low = 0;
  int high = 0;
  float fraction = 0.0F;
};

TablePoint table_point(int index, int grid, int side) {
  const float last = static_cast<float>(side - 1);
  const float at = static_cast<float>(index) * last / static_cast<float>(std::max(grid - 1, 1));
  const int low = static_cast<int>(at);
  return {low, std::min(low + 1, side - 1), at - static_cast<float>(low)};
}

}  // namespace

std::vector<PatchPosition> patch_order(int grid_h, int grid_w, int merge) {
  std::vector<PatchPosition> order;
  order.reserve(static_cast<size_t>(grid_h) * static_cast<size_t>(grid_w));
  for (int block_row = 0; block_row < grid_h; block_row += merge) {
    for (int block_col = 0; block_col < grid_w; block_col += merge) {
      for (int row = 0; row < merge; ++row) {
        for (int col = 0; col < merge; ++col) order.push_back({block_row + row, block_col + col});
      }
    }
  }
  return order;
}

void interpolate_positions(std::span<const float> table, int side, int64_t width, int grid_h, int grid_w,
                           std::span<const PatchPosition> patches, std::span<float> out) {
  for (size_t i = 0; i < patches.size(); ++i) {
    const TablePoint row = table_point(patches[i].row, grid_h, side);
    const TablePoint col = table_point(patches[i].col, grid_w, side);
    const auto entry = [&](int r, int c) { return table.data() + (static_cast<int64_t>(r) * side + c) * width; };
    const float* top_left = entry(row.low, col.low);
    const float* top_right = entry(row.low, col.high);
    const float* bottom_left = entry(row.high, col.low);
    const float* bottom_right = entry(row.high, col.high);
    const float a = (1.0F - row.fraction) * (1.0F - col.fraction);
    const float b = (1.0F - row.fraction) * col.fraction;
    const float c = row.fraction * (1.0F - col.fraction);
    const float d = row.fraction * col.fraction;
    float* target = out.data() + static_cast<int64_t>(i) * width;
    for (int64_t j = 0; j < width; ++j) {
      target[j] = a * top_left[j] + b * top_right[j] + c * bottom_left[j] + d * bottom_right[j];
    }
  }
}

void patch_angles(std::span<const PatchPosition> patches, int head_dim, std::span<float> cos, std::span<float> sin) {
  const std::vector<float> frequencies = inverse_frequencies(kRotaryTheta, head_dim / 2);
  const size_t half = static_cast<size_t>(head_dim) / 2;
  for (size_t i = 0; i < patches.size(); ++i) {
    for (size_t j = 0; j < half; ++j) {
      const int along = j < frequencies.size() ? patches[i].row : patches[i].col;
      const double angle = static_cast<float>(along) * frequencies[j % frequencies.size()];
      cos[i * half + j] = static_cast<float>(std::cos(angle));
      sin[i * half + j] = static_cast<float>(std::sin(angle));
    }
  }
}

}  // namespace poplens
