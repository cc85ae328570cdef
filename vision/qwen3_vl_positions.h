// Where a patch is: the order of Qwen3-VL's patches, its interpolated position embedding, its 2-D rotary angles.
// Source: transformers models/qwen3_vl (fast_pos_embed_interpolate, rot_pos_emb).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace poplens {

struct PatchPosition {
  int row = 0;
  int col = 0;
};

// Patches of a grid_h x grid_w picture in merge-block order: the merge x merge patches of one soft token follow one
// another. grid_h and grid_w are multiples of merge.
std::vector<PatchPosition> patch_order(int grid_h, int grid_w, int merge);

// Bilinear interpolation of a learnt [side * side, width] table stretched over the grid (corners aligned), for the
// given patches: out [patches, width].
void interpolate_positions(std::span<const float> table, int side, int64_t width, int grid_h, int grid_w,
                           std::span<const PatchPosition> patches, std::span<float> out);

// Angles of the rotary pairs of every patch: the first half turns by the row, the second by the column.
// cos, sin: [patches, head_dim / 2].
void patch_angles(std::span<const PatchPosition> patches, int head_dim, std::span<float> cos, std::span<float> sin);

}  // namespace poplens
