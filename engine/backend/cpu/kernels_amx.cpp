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
constexpr int group_rows = 8 * 2 * tile_rows;  // their part of a stays in the second-level cache

struct alignas(64) TileConfig {
  uint8_t palette = 1;
  uint8_t start_row = 0;
  uint8_t reserved[14] = {};
  uint16_t bytes_per_row[16] = {};
  uint8_t rows[16] = {};
};

// Eight tiles: 0-3 sums (two by two), 4 and 5 rows of a, 6 and 7 columns of b. The upper ones have `upper` rows, the
// lower ones `lower`; b's are always whole.
struct Tiles {
  explicit Tiles(int upper = tile_rows, int lower = tile_rows) {
    TileConfig config;
    std::fill_n(config.bytes_per_row, 8, uint16_t{tile_bytes});
    std::fill_n(config.rows, 8, uint8_t{tile_rows});
    for (const int tile : {0, 1, 4}) config.rows[tile] = static_cast<uint8_t>(upper);
    for (const int tile : {2, 3, 5}) config.rows[tile] = static_cast<uint8_t>(lower);
    _tile_loadconfig(&config);
  }
  ~Tiles() { _tile_release(); }
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;
};

// Rows [0, rows) of sums, 32 in a row, added to c.
void add_sums(const float* sums, int rows, float* c, int64_t c_stride) {
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < panel_columns; j += tile_columns) {
      float* out = c + i * c_stride + j;
      _mm512_storeu_ps(out, _mm512_add_ps(_mm512_loadu_ps(out), _mm512_loadu_ps(sums + i * panel_columns + j)));
    }
  }
}

// `rows` rows, those of one or two tiles of a, against one panel. a passes by the first-level cache, which keeps the
// panel for the rows that follow.
template <bool two>
void multiply_block(const Product& p, const std::byte* a, int rows, const std::byte* b, float* c) {
  const auto a_bytes = static_cast<size_t>(p.a_stride * 2);
  constexpr size_t b_bytes = panel_columns * 4;
  _tile_zero(0);
  _tile_zero(1);
  if constexpr (two) _tile_zero(2);
  if constexpr (two) _tile_zero(3);
  for (int k = 0; k < p.depth; k += tile_depth) {
    _tile_loadd(6, b, b_bytes);
    _tile_stream_loadd(4, a, a_bytes);
    _tile_dpbf16ps(0, 4, 6);
    _tile_loadd(7, b + tile_bytes, b_bytes);
    _tile_dpbf16ps(1, 4, 7);
    if constexpr (two) {
      _tile_stream_loadd(5, a + tile_rows * a_bytes, a_bytes);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    }
    a += tile_bytes;
    b += tile_depth / 2 * b_bytes;
  }
  alignas(64) float sums[2 * tile_rows * panel_columns];
  float* out = p.accumulate ? sums : c;
  const int64_t stride = p.accumulate ? panel_columns : p.c_stride;
  const auto bytes = static_cast<size_t>(stride * 4);
  _tile_stored(0, out, bytes);
  _tile_stored(1, out + tile_columns, bytes);
  if constexpr (two) _tile_stored(2, out + tile_rows * stride, bytes);
  if constexpr (two) _tile_stored(3, out + tile_rows * stride + tile_columns, bytes);
  if (p.accumulate) add_sums(sums, rows, c, p.c_stride);
}

// Rows [begin, end) against all panels, in the shape that is configured.
template <bool two>
void multiply_rows(const Product& p, int begin, int end) {
  const int64_t panel_bytes = int64_t{p.panel_depth} * panel_columns * 2;
  for (int panel = 0; panel < p.panels; ++panel) {
    for (int row = begin; row < end; row += 2 * tile_rows) {
      multiply_block<two>(p, static_cast<const std::byte*>(p.a) + row * p.a_stride * 2,
                          std::min(2 * tile_rows, end - row), static_cast<const std::byte*>(p.b) + panel * panel_bytes,
                          p.c + row * p.c_stride + panel * panel_columns);
    }
  }
}

void multiply_tiles(const Product& p) {
  const int whole = p.rows / (2 * tile_rows) * (2 * tile_rows), rest = p.rows - whole;
  if (whole > 0) {
    const Tiles configured;
    for (int group = 0; group < whole; group += group_rows) {
      multiply_rows<true>(p, group, std::min(group + group_rows, whole));
    }
  }
  if (rest > tile_rows) {
    const Tiles configured(tile_rows, rest - tile_rows);
    multiply_rows<true>(p, whole, p.rows);
  } else if (rest > 0) {
    const Tiles configured(rest);
    multiply_rows<false>(p, whole, p.rows);
  }
}

constexpr int tiles_per_round = 4;

float spin_tiles(int64_t rounds) {
  const Tiles configured;
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
