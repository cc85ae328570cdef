// AMX's tiles in plain C++, in the place of the instructions (see avx512.h): eight tiles a thread, their shapes taken
// from the configuration. What the hardware would answer with a fault ends the program with a message.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <immintrin.h>

namespace poplens::emulation {
namespace {

constexpr int tile_count = 8, most_tile_rows = 16, most_tile_bytes = 64;

struct Tiles {
  bool configured = false;
  int rows[tile_count] = {};
  int bytes[tile_count] = {};
  uint8_t data[tile_count][most_tile_rows][most_tile_bytes] = {};
};

[[maybe_unused]] inline Tiles& tiles() {
  thread_local Tiles state;
  return state;
}

[[maybe_unused]] inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "AMX fault: %s\n", what);
  std::abort();
}

[[maybe_unused]] inline Tiles& tiles_in_use(int tile) {
  Tiles& state = tiles();
  require(state.configured, "tiles are used before they are configured");
  require(tile >= 0 && tile < tile_count && state.rows[tile] > 0, "a tile is used that has no shape");
  return state;
}

[[maybe_unused]] inline void load_config(const void* p) {
  uint8_t config[64];
  std::memcpy(config, p, sizeof(config));
  require(config[0] == 1, "palette");
  for (int i = 2; i < 16; ++i) require(config[i] == 0, "reserved bytes");
  Tiles state;
  for (int tile = 0; tile < tile_count; ++tile) {
    uint16_t bytes = 0;
    std::memcpy(&bytes, config + 16 + 2 * tile, sizeof(bytes));
    state.rows[tile] = config[48 + tile];
    state.bytes[tile] = bytes;
    require(state.rows[tile] <= most_tile_rows && bytes <= most_tile_bytes, "a tile's shape is too large");
    require((state.rows[tile] == 0) == (bytes == 0), "a tile has rows or columns alone");
  }
  state.configured = true;
  tiles() = state;
}

[[maybe_unused]] inline void release() {
  tiles() = Tiles();
}

[[maybe_unused]] inline void zero(int tile) {
  std::memset(tiles_in_use(tile).data[tile], 0, sizeof(Tiles::data[0]));
}

[[maybe_unused]] inline void load(int tile, const void* p, size_t stride) {
  Tiles& state = tiles_in_use(tile);
  for (int i = 0; i < state.rows[tile]; ++i) {
    std::memcpy(state.data[tile][i], static_cast<const std::byte*>(p) + static_cast<size_t>(i) * stride,
                static_cast<size_t>(state.bytes[tile]));
  }
}

[[maybe_unused]] inline void store(int tile, void* p, size_t stride) {
  Tiles& state = tiles_in_use(tile);
  for (int i = 0; i < state.rows[tile]; ++i) {
    std::memcpy(static_cast<std::byte*>(p) + static_cast<size_t>(i) * stride, state.data[tile][i],
                static_cast<size_t>(state.bytes[tile]));
  }
}

// sums += a · b: a's rows hold pairs along the depth, b's rows one pair of every column. Even and odd elements are
// summed apart and added to the sum at the end.
[[maybe_unused]] inline void dot_bf16(int sums, int a, int b) {
  Tiles& state = tiles_in_use(sums);
  tiles_in_use(a);
  tiles_in_use(b);
  const int pairs = state.bytes[a] / 4, columns = state.bytes[sums] / 4;
  require(state.rows[sums] == state.rows[a], "a and the sums have unlike rows");
  require(state.rows[b] == pairs, "b has not a row for every pair of a");
  require(state.bytes[b] == state.bytes[sums], "b and the sums have unlike columns");
  for (int i = 0; i < state.rows[a]; ++i) {
    float even[16] = {}, odd[16] = {}, sum[16];
    for (int k = 0; k < pairs; ++k) {
      uint32_t left = 0, right[16] = {};
      std::memcpy(&left, state.data[a][i] + 4 * k, sizeof(left));
      std::memcpy(right, state.data[b][k], static_cast<size_t>(state.bytes[b]));
      for (int j = 0; j < 16; ++j) {
        even[j] = std::fma(std::bit_cast<float>(left << 16), std::bit_cast<float>(right[j] << 16), even[j]);
        odd[j] =
            std::fma(std::bit_cast<float>(left & 0xFFFF0000U), std::bit_cast<float>(right[j] & 0xFFFF0000U), odd[j]);
      }
    }
    std::memcpy(sum, state.data[sums][i], static_cast<size_t>(state.bytes[sums]));
    for (int j = 0; j < columns; ++j) sum[j] += even[j] + odd[j];
    std::memcpy(state.data[sums][i], sum, static_cast<size_t>(state.bytes[sums]));
  }
}

}  // namespace
}  // namespace poplens::emulation

#undef _tile_loadconfig
#undef _tile_release
#undef _tile_zero
#undef _tile_loadd
#undef _tile_stream_loadd
#undef _tile_stored
#undef _tile_dpbf16ps
#define _tile_loadconfig poplens::emulation::load_config
#define _tile_release poplens::emulation::release
#define _tile_zero poplens::emulation::zero
#define _tile_loadd poplens::emulation::load
#define _tile_stream_loadd poplens::emulation::load
#define _tile_stored poplens::emulation::store
#define _tile_dpbf16ps poplens::emulation::dot_bf16
