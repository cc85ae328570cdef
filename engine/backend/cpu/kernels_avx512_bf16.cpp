#include "engine/backend/cpu/avx512_bf16_exponentials.h"
#include "engine/backend/cpu/avx512_vector.h"
#include "engine/backend/cpu/f32_kernels.h"

namespace poplens::cpu {
namespace {

// A pair of bf16 along the depth is moved like one f32; only its product is another.
struct Avx512Bf16 : Avx512 {
  static Register multiply_add(Register a, Register b, Register c) {
    return _mm512_dpbf16_ps(c, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
  }
};

void multiply_pairs(const Product& p) {
  Product pairs = p;
  pairs.a_stride /= 2;
  pairs.depth /= 2;
  pairs.panel_depth /= 2;
  multiply<Avx512Bf16>(pairs);
}

}  // namespace

const Kernels& avx512_bf16_kernels() {
  static constexpr Kernels kernels = {.type = DType::bf16,
                                      .panel_columns = 2 * Avx512::width,
                                      .depth_step = 2,
                                      .depth_block = 384,
                                      .row_step = 1,
                                      .attention_rows = 24,
                                      .multiply = multiply_pairs,
                                      .maximum = maximum<Avx512>,
                                      .exponentials = exponentials_bf16,
                                      .spin = spin<Avx512Bf16>,
                                      .flop_per_round = spinning_sums * Avx512::width * 4};
  return kernels;
}

}  // namespace poplens::cpu
