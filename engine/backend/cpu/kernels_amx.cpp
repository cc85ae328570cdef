#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <immintrin.h>

#include "engine/backend/cpu/avx512_bf16_exponentials.h"
#include "engine/backend/cpu/avx512_vector.h"
#include "engine/backend/cpu/f32_kernels.h"

namespace poplens::cpu {
namespace {

constexpr int tile_rows = 16;     // rows of a tile
constexpr int tile_columns = 16;  // f32 in a row of a tile of sums
constexpr int tile_depth = 32;    // bf16 in a row of a tile of a
constexpr int tile_bytes = 64;    // in a row of any tile
constexpr int panel_columns = 2 * tile_columns;
constexpr int group_rows = 4 * 2 * tile_rows;  // their part of a stays in the second-level cache

struct alignas(64) TileConfig {
  uint8_t palette = 1;
  uint8_t start_row = 0;
  uint8_t reserved[14] = {};
  uint16_t bytes_per_row[16] = {};
  uint8_t rows[16] = {};
};

// Eight full tiles: 0-3 sums (two by two), 4 and 5 rows of a, 6 and 7 columns of b.
struct FullTiles {
  FullTiles() {
    TileConfig config;
    std::fill_n(config.bytes_per_row, 8, uint16_t{tile_bytes});
    std::fill_n(config.rows, 8, uint8_t{tile_rows});
    _tile_loadconfig(&config);
  }
  ~FullTiles() { _tile_release(); }
  FullTiles(const FullTiles&) = delete;
  FullTiles& operator=(const FullTiles&) = delete;
};

void store_sums(const float* sums, int rows, float* c, int64_t c_stride, bool accumulate) {
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < panel_columns; j += tile_columns) {
      const __m512 sum = _mm512_loadu_ps(sums + i * panel_columns + j);
      float* out = c + i * c_stride + j;
      _mm512_storeu_ps(out, accumulate ? _mm512_add_ps(_mm512_loadu_ps(out), sum) : sum);
    }
  }
}

// `rows` (at most 32) rows against one panel; a is read in whole tiles.
void multiply_block(const Product& p, const std::byte* a, int rows, const std::byte* b, float* c) {
  const auto a_bytes = static_cast<size_t>(p.a_stride * 2);
  constexpr size_t b_bytes = panel_columns * 4, sum_bytes = panel_columns * 4;
  alignas(64) float sums[2 * tile_rows * panel_columns];
  _tile_zero(0);
  _tile_zero(1);
  if (rows > tile_rows) {
    _tile_zero(2);
    _tile_zero(3);
    for (int k = 0; k < p.depth; k += tile_depth) {
      _tile_loadd(4, a, a_bytes);
      _tile_loadd(6, b, b_bytes);
      _tile_loadd(7, b + tile_bytes, b_bytes);
      _tile_loadd(5, a + tile_rows * a_bytes, a_bytes);
      _tile_dpbf16ps(0, 4, 6);
      _tile_dpbf16ps(1, 4, 7);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
      a += tile_bytes;
      b += tile_depth / 2 * b_bytes;
    }
    _tile_stored(2, sums + tile_rows * panel_columns, sum_bytes);
    _tile_stored(3, sums + tile_rows * panel_columns + tile_columns, sum_bytes);
  } else {
    for (int k = 0; k < p.depth; k += tile_depth) {
      _tile_loadd(4, a, a_bytes);
      _tile_loadd(6, b, b_bytes);
      _tile_loadd(7, b + tile_bytes, b_bytes);
      _tile_dpbf16ps(0, 4, 6);
      _tile_dpbf16ps(1, 4, 7);
      a += tile_bytes;
      b += tile_depth / 2 * b_bytes;
    }
  }
  _tile_stored(0, sums, sum_bytes);
  _tile_stored(1, sums + tile_columns, sum_bytes);
  store_sums(sums, rows, c, p.c_stride, p.accumulate);
}

void multiply_tiles(const Product& p) {
  const FullTiles configured;
  const int64_t panel_bytes = int64_t{p.panel_depth} * panel_columns * 2;
  for (int group = 0; group < p.rows; group += group_rows) {
    const int group_end = std::min(group + group_rows, p.rows);
    for (int panel = 0; panel < p.panels; ++panel) {
      for (int row = group; row < group_end; row += 2 * tile_rows) {
        multiply_block(
            p, static_cast<const std::byte*>(p.a) + row * p.a_stride * 2, std::min(2 * tile_rows, group_end - row),
            static_cast<const std::byte*>(p.b) + panel * panel_bytes, p.c + row * p.c_stride + panel * panel_columns);
      }
    }
  }
}

constexpr int tiles_per_round = 4;

float spin_tiles(int64_t rounds) {
  const FullTiles configured;
  float sums[tile_rows * tile_columns];
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
  for (int64_t round = 0; round < rounds; ++round) {
    _tile_dpbf16ps(0, 4, 5);
    _tile_dpbf16ps(1, 4, 5);
    _tile_dpbf16ps(2, 4, 5);
    _tile_dpbf16ps(3, 4, 5);
  }
  _tile_stored(0, sums, tile_bytes);
  return sums[0];
}

}  // namespace

const Kernels& amx_kernels() {
  static constexpr Kernels kernels = {.type = DType::bf16,
                                      .panel_columns = panel_columns,
                                      .depth_step = tile_depth,
                                      .depth_block = 512,
                                      .row_step = tile_rows,
                                      .attention_rows = 2 * tile_rows,
                                      .multiply = multiply_tiles,
                                      .maximum = maximum<Avx512>,
                                      .exponentials = exponentials_bf16,
                                      .spin = spin_tiles,
                                      .flop_per_round = tiles_per_round * tile_rows * tile_columns * tile_depth * 2};
  return kernels;
}

}  // namespace poplens::cpu
