// The kernels of kernels.h for operands in f32, written once for all vector widths. Included by the one file of each
// instruction set; everything is in an unnamed namespace, so that no other file can be linked to code that was compiled
// for an instruction set the machine lacks.
//
// Vector: the type's operations (see kernels_avx2.cpp). A panel is two vectors wide.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "engine/backend/cpu/exp2_coefficients.h"
#include "engine/backend/cpu/kernels.h"

namespace poplens::cpu {
namespace {

constexpr int line_floats = 16;  // in a line of the caches

// How many panels a tile of `rows` rows takes at once: few rows need more columns to keep the adders busy.
template <typename Vector>
constexpr int panels_at_once(int rows) {
  return std::clamp(Vector::accumulators / (2 * rows), 1, 2);
}

// c is fetched while the sums are made: out of the third-level cache it would come too late otherwise.
template <typename Vector, int rows, int panels>
void multiply_tile(const float* a, int64_t a_stride, const float* b, int64_t panel_stride, int depth, float* c,
                   int64_t c_stride, bool accumulate) {
  using Register = typename Vector::Register;
  constexpr int width = Vector::width;
  Register sums[rows][2 * panels];
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < 2 * panels; ++j) sums[i][j] = Vector::zero();
#pragma GCC unroll 8
    for (int j = 0; j < 2 * panels; j += line_floats / width) Vector::fetch(c + i * c_stride + j * width);
  }
  const auto add_products = [&](int k) __attribute__((always_inline)) {
    const auto column = [&](int j) __attribute__((always_inline)) {
      return Vector::load(b + (j / 2) * panel_stride + (j % 2) * width + k * (2 * width));
    };
    if constexpr (rows < 2 * panels) {
      Register values[rows];
#pragma GCC unroll 16
      for (int i = 0; i < rows; ++i) values[i] = Vector::broadcast(a + i * a_stride + k);
#pragma GCC unroll 8
      for (int j = 0; j < 2 * panels; ++j) {
        const Register weights = column(j);
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i) sums[i][j] = Vector::multiply_add(values[i], weights, sums[i][j]);
      }
    } else {
      Register weights[2 * panels];
#pragma GCC unroll 8
      for (int j = 0; j < 2 * panels; ++j) weights[j] = column(j);
#pragma GCC unroll 16
      for (int i = 0; i < rows; ++i) {
        const Register value = Vector::broadcast(a + i * a_stride + k);
#pragma GCC unroll 8
        for (int j = 0; j < 2 * panels; ++j) sums[i][j] = Vector::multiply_add(value, weights[j], sums[i][j]);
      }
    }
  };
#pragma GCC unroll 4
  for (int k = 0; k < depth; ++k) add_products(k);
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < 2 * panels; ++j) {
      float* out = c + i * c_stride + j * width;
      Vector::store(out, accumulate ? Vector::add(Vector::load(out), sums[i][j]) : sums[i][j]);
    }
  }
}

// One tile of rows against panels [first, last).
template <typename Vector, int rows>
void multiply_rows(const Product& p, int row, int first, int last) {
  constexpr int at_once = panels_at_once<Vector>(rows);
  constexpr int panel_columns = 2 * Vector::width;
  const int64_t panel_stride = static_cast<int64_t>(p.panel_depth) * panel_columns;
  const float* a = static_cast<const float*>(p.a) + row * p.a_stride;
  const float* b = static_cast<const float*>(p.b) + first * panel_stride;
  float* c = p.c + row * p.c_stride + first * panel_columns;
  int panel = first;
  for (; panel + at_once <= last; panel += at_once) {
    multiply_tile<Vector, rows, at_once>(a, p.a_stride, b, panel_stride, p.depth, c, p.c_stride, p.accumulate);
    b += at_once * panel_stride;
    c += at_once * panel_columns;
  }
  for (; panel < last; ++panel) {
    multiply_tile<Vector, rows, 1>(a, p.a_stride, b, panel_stride, p.depth, c, p.c_stride, p.accumulate);
    b += panel_stride;
    c += panel_columns;
  }
}

using MultiplyRows = void (*)(const Product&, int row, int first, int last);

template <typename Vector, int... rows>
constexpr std::array<MultiplyRows, sizeof...(rows)> rows_table(std::integer_sequence<int, rows...>) {
  return {multiply_rows<Vector, rows + 1>...};
}

// Fetches share `index` of `count` of a tile's rows into the second-level cache.
template <typename Vector>
void fetch_share(const float* a, int64_t a_stride, int rows, int depth, int index, int count) {
  const int lines = (depth + line_floats - 1) / line_floats;
  const int first = lines * index / count, last = lines * (index + 1) / count;
  for (int i = 0; i < rows; ++i) {
    for (int line = first; line < last; ++line) Vector::fetch_far(a + i * a_stride + line * line_floats);
  }
}

// Rows are split into tiles of nearly equal height. A group of tiles (its part of a stays in the second-level cache)
// meets one panel after another (which stays in the first-level cache); meanwhile the next group's rows are fetched.
template <typename Vector>
void multiply(const Product& p) {
  static constexpr auto table = rows_table<Vector>(std::make_integer_sequence<int, Vector::tile_rows>());
  constexpr int group_tiles = 72 / Vector::tile_rows;
  const int tiles = (p.rows + Vector::tile_rows - 1) / Vector::tile_rows;
  const auto first_row = [&](int tile) { return static_cast<int>(static_cast<int64_t>(p.rows) * tile / tiles); };
  const int panel_step = tiles > 1 ? 1 : p.panels;
  for (int group = 0; group < tiles; group += group_tiles) {
    const int group_end = std::min(group + group_tiles, tiles);
    const bool last = group_end == tiles;
    const auto* next_a = static_cast<const float*>(last ? p.next_a : p.a);
    for (int panel = 0; panel < p.panels; panel += panel_step) {
      const int panel_end = std::min(panel + panel_step, p.panels);
      for (int tile = group; tile < group_end; ++tile) {
        const int row = first_row(tile), rows = first_row(tile + 1) - row;
        const int next_tile = last ? tile - group : std::min(tile + group_tiles, tiles - 1);
        if (next_a != nullptr) {
          fetch_share<Vector>(next_a + first_row(next_tile) * p.a_stride, p.a_stride, rows, p.depth, panel, p.panels);
        }
        table[static_cast<size_t>(rows - 1)](p, row, panel, panel_end);
      }
    }
  }
}

template <typename Vector>
float maximum(const float* x, int n) {
  constexpr int width = Vector::width;
  float greatest = -std::numeric_limits<float>::infinity();
  int i = 0;
  if (n >= 2 * width) {
    auto first = Vector::load(x);
    auto second = Vector::load(x + width);
    for (i = 2 * width; i + 2 * width <= n; i += 2 * width) {
      first = Vector::max(first, Vector::load(x + i));
      second = Vector::max(second, Vector::load(x + i + width));
    }
    greatest = Vector::reduce_max(Vector::max(first, second));
  }
  for (; i < n; ++i) greatest = std::max(greatest, x[i]);
  return greatest;
}

// 2^t for t <= 128; exactly 0 below 2^-126.
template <typename Vector>
typename Vector::Register exp2(typename Vector::Register t) {
  const auto whole = Vector::round(t);
  const auto fraction = Vector::subtract(t, whole);
  auto power = Vector::set(exp2_coefficients[exp2_degree]);
#pragma GCC unroll 8
  for (int i = exp2_degree - 1; i >= 0; --i) {
    power = Vector::multiply_add(power, fraction, Vector::set(exp2_coefficients[i]));
  }
  return Vector::keep_above(Vector::times_power_of_two(power, whole), t, -126.0F);
}

// Writes and sums 32 exponentials at a time; `Store` converts to the type of the operands.
template <typename Vector, typename Store>
float exponentials(const float* x, int n, float factor, float shift, const Store& store) {
  constexpr int at_once = 32 / Vector::width;
  const auto factors = Vector::set(factor);
  const auto shifts = Vector::set(-shift);
  typename Vector::Register sums[at_once];
#pragma GCC unroll 4
  for (int j = 0; j < at_once; ++j) sums[j] = Vector::zero();
  for (int i = 0; i < n; i += 32) {
#pragma GCC unroll 4
    for (int j = 0; j < at_once; ++j) {
      const int at = i + j * Vector::width;
      const auto power = exp2<Vector>(Vector::multiply_add(Vector::load(x + at), factors, shifts));
      sums[j] = Vector::add(sums[j], power);
      store(at, power);
    }
  }
#pragma GCC unroll 4
  for (int step = at_once / 2; step > 0; step /= 2) {
    for (int j = 0; j < step; ++j) sums[j] = Vector::add(sums[j], sums[j + step]);
  }
  return Vector::reduce_add(sums[0]);
}

// Enough independent sums to fill the time that one takes.
constexpr int spinning_sums = 10;

template <typename Vector>
float spin(int64_t rounds) {
  const auto factor = Vector::set(0.5F);
  typename Vector::Register sums[spinning_sums];
#pragma GCC unroll 16
  for (int j = 0; j < spinning_sums; ++j) sums[j] = Vector::set(static_cast<float>(j));
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
    for (int j = 0; j < spinning_sums; ++j) sums[j] = Vector::multiply_add(factor, factor, sums[j]);
  }
  auto total = sums[0];
#pragma GCC unroll 16
  for (int j = 1; j < spinning_sums; ++j) total = Vector::add(total, sums[j]);
  return Vector::reduce_add(total);
}

}  // namespace
}  // namespace poplens::cpu
