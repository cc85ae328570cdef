#include "engine/backend/cpu/matmul.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/backend/cpu/epilogue.h"
#include "engine/backend/cpu/pack.h"
#include "engine/backend/cpu/tiling.h"

namespace poplens::cpu {
namespace {

int64_t divide_up(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}
int64_t round_up(int64_t a, int64_t step) {
  return divide_up(a, step) * step;
}

// A part of the product; with `up` it is a gated pair.
struct Part {
  MatmulPart product;
  ConstMatrix up;

  int64_t columns() const { return product.transposed ? product.weight.cols : product.weight.rows; }
  int64_t panels_for(int64_t cols, const Kernels& kernels) const {
    return divide_up(cols, kernels.panel_columns) * (up ? 2 : 1);
  }
};

// How the summed dimension is cut: into blocks of one size (the last may be shorter) that depends on the depth alone.
struct DepthBlocks {
  int64_t depth;
  int64_t block;  // a multiple of 32

  DepthBlocks(int64_t whole, const Kernels& kernels)
      : depth(whole), block(round_up(divide_up(whole, divide_up(whole, kernels.depth_block)), 32)) {}

  int64_t count() const { return divide_up(depth, block); }
  int64_t first(int64_t index) const { return index * block; }
  int64_t size(int64_t index) const { return std::min(block, depth - first(index)); }
};

// x laid out: block after block of the depth, each [rows, stride]. A row is one cache line longer than the block, so
// that rows one below another do not fall on the same few places of the first-level cache.
struct PackedRows {
  std::byte* data;
  int64_t rows;  // room for so many, a multiple of row_step
  DType type;
  int64_t stride;  // in elements

  static int64_t stride_for(const DepthBlocks& blocks, DType type) { return blocks.block + 64 / size_of(type); }

  std::byte* at(int64_t index, int64_t row) const { return data + (index * rows + row) * stride * size_of(type); }
};

void pack(ConstMatrix x, const DepthBlocks& blocks, const PackedRows& packed, const Kernels& kernels,
          ThreadPool& pool) {
  constexpr int64_t elements_at_once = 1 << 16;
  const int64_t grain = std::max<int64_t>(elements_at_once / blocks.block, 1);
  pool.parallel_for(blocks.count() * x.rows, grain, [&](int64_t begin, int64_t end, int) {
    while (begin < end) {
      const int64_t index = begin / x.rows, row = begin % x.rows;
      const int64_t rows = std::min(end - begin, x.rows - row);
      const auto depth = static_cast<int>(round_up(blocks.size(index), kernels.depth_step));
      pack_rows(x.row_range(row, rows).col_range(blocks.first(index), blocks.size(index)), kernels.type, depth,
                packed.at(index, row), packed.stride);
      begin += rows;
    }
  });
}

// Which columns of which part.
struct Columns {
  const Part* part;
  int64_t first;
  int64_t count;
};

std::vector<Columns> cut(std::span<const Part> parts, int64_t most) {
  std::vector<Columns> all;
  for (const Part& part : parts) {
    for (int64_t first = 0; first < part.columns(); first += most) {
      all.push_back({&part, first, std::min(most, part.columns() - first)});
    }
  }
  return all;
}

// The panels of [first, first + size) of the depth: the part's own columns, behind them those of `up`.
void pack_panels(const Columns& columns, int64_t first, int64_t size, const Kernels& kernels, std::byte* panels) {
  const auto depth = static_cast<int>(round_up(size, kernels.depth_step));
  const auto slice = [&](ConstMatrix weight) {
    return weight.row_range(columns.first, columns.count).col_range(first, size);
  };
  const MatmulPart& part = columns.part->product;
  if (part.transposed) {
    pack_values(part.weight.row_range(first, size).col_range(columns.first, columns.count), kernels, depth, panels);
    return;
  }
  pack_columns(slice(part.weight), part.column_scale != nullptr ? part.column_scale + first : nullptr, kernels, depth,
               panels);
  if (columns.part->up) {
    const int64_t own = round_up(columns.count, kernels.panel_columns) * depth * size_of(kernels.type);
    pack_columns(slice(columns.part->up), nullptr, kernels, depth, panels + own);
  }
}

void store(const Columns& columns, int64_t first_row, int64_t rows, const float* sums, int64_t stride) {
  const MatmulPart& part = columns.part->product;
  const Matrix out = part.out.row_range(first_row, rows).col_range(columns.first, columns.count);
  if (columns.part->up) {
    store_gated(sums, sums + stride / 2, stride, part.activation, out);
  } else {
    const float* bias = part.bias != nullptr ? part.bias + columns.first : nullptr;
    store_product(sums, stride, bias, part.activation, part.accumulate, out);
  }
}

void multiply_tile(const PackedRows& x, const DepthBlocks& blocks, int64_t first_row, int64_t rows,
                   const Columns& columns, int64_t out_row, const Kernels& kernels, std::byte* scratch) {
  const int64_t panels = columns.part->panels_for(columns.count, kernels);
  const int64_t stride = panels * kernels.panel_columns;
  auto* sums = reinterpret_cast<float*>(scratch);
  std::byte* packed = scratch + rows * stride * size_of(DType::f32);
  for (int64_t index = 0; index < blocks.count(); ++index) {
    const auto depth = static_cast<int>(round_up(blocks.size(index), kernels.depth_step));
    pack_panels(columns, blocks.first(index), blocks.size(index), kernels, packed);
    kernels.multiply({.a = x.at(index, first_row),
                      .a_stride = x.stride,
                      .next_a = index + 1 < blocks.count() ? x.at(index + 1, first_row) : nullptr,
                      .rows = static_cast<int>(rows),
                      .b = packed,
                      .panels = static_cast<int>(panels),
                      .depth = depth,
                      .panel_depth = depth,
                      .c = sums,
                      .c_stride = stride,
                      .accumulate = index > 0});
  }
  store(columns, out_row, rows, sums, stride);
}

void multiply(ConstMatrix x, std::span<const Part> parts, const Kernels& kernels, const Workspace& workspace,
              ThreadPool& pool) {
  std::vector<int64_t> widths;
  for (const Part& part : parts) {
    if (part.columns() > 0) widths.push_back(part.columns() * (part.up ? 2 : 1));
  }
  if (x.rows == 0 || widths.empty()) return;
  const DepthBlocks blocks(x.cols, kernels);
  const int64_t stride = PackedRows::stride_for(blocks, kernels.type);
  const int64_t row_bytes = blocks.count() * stride * size_of(kernels.type);
  const int64_t most_rows =
      std::max<int64_t>(Workspace::shared_bytes / row_bytes / kernels.row_step, 1) * kernels.row_step;
  const int64_t passes = divide_up(x.rows, most_rows);
  const int64_t pass_rows = round_up(divide_up(x.rows, passes), kernels.row_step);

  const Panel panel{kernels.panel_columns, kernels.panel_columns * blocks.block * size_of(kernels.type)};
  const Tiling tiling = choose_tiling(std::min(pass_rows, x.rows), widths, panel, kernels.row_step, pool.size());
  const bool gated = !parts.empty() && parts.front().up;
  const int64_t columns_at_once = gated ? round_up(tiling.columns / 2, kernels.panel_columns) : tiling.columns;
  const std::vector<Columns> columns = cut(parts, columns_at_once);
  const auto column_tiles = static_cast<int64_t>(columns.size());

  for (int64_t pass = 0; pass < x.rows; pass += pass_rows) {
    const int64_t rows = std::min(pass_rows, x.rows - pass);
    const PackedRows packed{workspace.shared(), round_up(rows, kernels.row_step), kernels.type, stride};
    pack(x.row_range(pass, rows), blocks, packed, kernels, pool);
    const int64_t row_tiles = divide_up(rows, tiling.rows);
    pool.parallel_for(row_tiles * column_tiles, 1, [&](int64_t begin, int64_t end, int thread) {
      for (int64_t tile = begin; tile < end; ++tile) {
        const int64_t first_row = tile / column_tiles * tiling.rows;
        const Columns& own = columns[static_cast<size_t>(tile % column_tiles)];
        multiply_tile(packed, blocks, first_row, std::min(tiling.rows, rows - first_row), own, pass + first_row,
                      kernels, workspace.of_thread(thread));
      }
    });
  }
}

}  // namespace

void matmul(ConstMatrix x, std::span<const MatmulPart> parts, const Kernels& kernels, const Workspace& workspace,
            ThreadPool& pool) {
  std::vector<Part> all;
  for (const MatmulPart& part : parts) all.push_back({part, {}});
  multiply(x, all, kernels, workspace, pool);
}

void gated_matmul(ConstMatrix x, ConstMatrix gate, ConstMatrix up, Activation activation, Matrix out,
                  const Kernels& kernels, const Workspace& workspace, ThreadPool& pool) {
  MatmulPart part;
  part.weight = gate;
  part.out = out;
  part.activation = activation;
  const Part pair{part, up};
  multiply(x, {&pair, 1}, kernels, workspace, pool);
}

}  // namespace poplens::cpu
