// How a product is cut into the tiles that threads take one by one. The cut changes the time, never a bit.
#pragma once

#include <cstdint>
#include <span>

namespace poplens::cpu {

struct Tiling {
  int64_t rows = 0;     // of x in a tile, a multiple of the kernels' row_step (the last tile of a column may be lower)
  int64_t columns = 0;  // of the product in a tile, a multiple of the kernels' panel_columns
};

// The panels that tiles are made of: their columns, and the bytes of one packed block of the depth.
struct Panel {
  int columns = 0;
  int64_t bytes = 0;
};

// The cut of [rows] x [columns of each part] with the least expected time on `threads` threads.
Tiling choose_tiling(int64_t rows, std::span<const int64_t> part_columns, Panel panel, int row_step, int threads);

}  // namespace poplens::cpu
