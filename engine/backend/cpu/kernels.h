// The inner loops of the CPU backend's products and of its softmax, one table of functions for each path. The drivers
// (matmul.cpp, attention.cpp) are the same for all paths; a table is written for one instruction set, in a file of its
// own that is compiled for that set alone.
//
// Packed operands
// - a: row-major, row i at a + i * a_stride; depth (the summed dimension) padded with zeros to a multiple of
// depth_step.
// - b: panels of panel_columns columns one after another. A panel of f32 is [depth, panel_columns]; a panel of bf16 is
//   [depth / 2, panel_columns, 2]: two neighbours along the depth lie together. Missing columns and depth are zero.
//
// Order of summation: every element of the product is one sum that starts from zero and runs through the depth from
// first to last in a lane of its own, whatever else is computed beside it; with `accumulate` it is then added to c
// once.
#pragma once

#include <cstdint>

#include "engine/backend/tensor.h"

namespace poplens::cpu {

// c = a · b, or c += a · b. c is f32, [rows, panels * panel_columns], row-major.
struct Product {
  const void* a = nullptr;
  int64_t a_stride = 0;          // in elements
  const void* next_a = nullptr;  // what the next call will read in place of a, or null: a hint
  int rows = 0;
  const void* b = nullptr;
  int panels = 0;
  int depth = 0;        // a multiple of depth_step
  int panel_depth = 0;  // how much depth each panel of b has been packed with, at least `depth`
  float* c = nullptr;
  int64_t c_stride = 0;
  bool accumulate = false;
};

struct Kernels {
  DType type = DType::f32;  // what is multiplied: f32 or bf16; sums are f32
  int panel_columns = 16;
  int depth_step = 1;
  int depth_block = 256;    // the most depth that one call of multiply should get, for the caches
  int row_step = 1;         // a is read in whole steps of so many rows, whatever stands behind the last one
  int attention_rows = 24;  // how many rows of scores stay in the first-level cache
  void (*multiply)(const Product&) = nullptr;

  // The greatest of x[0, n).
  float (*maximum)(const float* x, int n) = nullptr;
  // out[i] = 2^(x[i] * factor - shift), exactly 0 for x[i] = -inf and below 2^-126; out is of `type`. Returns the sum
  // of the values before they are rounded to `type`. n is a multiple of 32; lane j sums the elements i with i mod 32 =
  // j, so that zeros in whole blocks of 32 before and behind change no bit.
  float (*exponentials)(const float* x, int n, float factor, float shift, void* out) = nullptr;

  // The path's greatest speed: multiplies and adds in registers alone, flop_per_round operations a round.
  float (*spin)(int64_t rounds) = nullptr;
  double flop_per_round = 0;
};

// The tables of a path for operands in f32 and in bf16. Where the path has no products of bf16, both are of f32.
struct KernelSet {
  const Kernels* f32 = nullptr;
  const Kernels* bf16 = nullptr;

  const Kernels& for_type(DType type) const { return type == DType::f32 ? *f32 : *bf16; }
};

const Kernels& avx2_kernels();
const Kernels& avx512_kernels();
const Kernels& avx512_bf16_kernels();
const Kernels& amx_kernels();

}  // namespace poplens::cpu
