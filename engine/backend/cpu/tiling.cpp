#include "engine/backend/cpu/tiling.h"

#include <algorithm>
#include <limits>

namespace poplens::cpu {
namespace {

// A tile's costs beside its multiply-adds, in units of one row of one column. Laying out a column of weights costs
// about as much as multiplying it with 4 rows; reading a row of x from the third-level cache as much as 3 columns; the
// rest is taking the tile.
constexpr double packing_rows = 4;
constexpr double reading_columns = 3;
constexpr double start = 256;

// More columns than this leave the second-level cache, fewer than that read x too often.
constexpr int64_t most_columns = 192;
constexpr int64_t least_columns = 64;
// Few rows are multiplied faster than their weights are packed: a tile's panels should still be in the first-level
// cache then.
constexpr int64_t few_rows = 8;
constexpr int64_t first_level_bytes = 32 << 10;
constexpr int64_t most_rows = 1024;
constexpr int64_t least_rows = 96;

int64_t divide_up(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

double expected_time(Tiling tiling, int64_t rows, std::span<const int64_t> part_columns, int threads) {
  const auto cost = [](int64_t tile_rows, int64_t tile_columns) {
    return (static_cast<double>(tile_rows) + packing_rows) * (static_cast<double>(tile_columns) + reading_columns) +
           start;
  };
  double work = 0;
  int64_t tiles = 0;
  const int64_t row_tiles = divide_up(rows, tiling.rows);
  for (const int64_t columns : part_columns) {
    const int64_t column_tiles = divide_up(columns, tiling.columns);
    tiles += column_tiles * row_tiles;
    work += static_cast<double>(column_tiles * row_tiles) *
            cost(divide_up(rows, row_tiles), divide_up(columns, column_tiles));
  }
  const double per_tile = work / static_cast<double>(tiles);
  return per_tile * static_cast<double>(divide_up(tiles, threads));
}

}  // namespace

Tiling choose_tiling(int64_t rows, std::span<const int64_t> part_columns, Panel panel, int row_step, int threads) {
  if (rows <= few_rows) return {rows, panel.columns * std::max<int64_t>(first_level_bytes / panel.bytes, 1)};
  Tiling best;
  double least = std::numeric_limits<double>::infinity();
  for (int64_t row_tiles = divide_up(rows, most_rows); row_tiles <= std::max<int64_t>(divide_up(rows, least_rows), 1);
       ++row_tiles) {
    const int64_t tile_rows = divide_up(divide_up(rows, row_tiles), row_step) * row_step;
    for (int64_t columns = most_columns; columns >= least_columns; columns -= panel.columns) {
      const Tiling tiling{tile_rows, columns};
      const double time = expected_time(tiling, rows, part_columns, threads);
      if (time < least) {
        least = time;
        best = tiling;
      }
    }
    if (row_tiles >= divide_up(rows, most_rows) + 8) break;
  }
  return best;
}

}  // namespace poplens::cpu
