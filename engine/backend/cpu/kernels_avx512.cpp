#include "engine/backend/cpu/avx512_vector.h"
#include "engine/backend/cpu/f32_kernels.h"

namespace poplens::cpu {
namespace {

float exponentials_f32(const float* x, int n, float factor, float shift, void* out) {
  return exponentials<Avx512>(x, n, factor, shift,
                              [out](int at, __m512 v) { _mm512_storeu_ps(static_cast<float*>(out) + at, v); });
}

}  // namespace

const Kernels& avx512_kernels() {
  static constexpr Kernels kernels = {.type = DType::f32,
                                      .panel_columns = 2 * Avx512::width,
                                      .depth_step = 1,
                                      .depth_block = 256,
                                      .row_step = 1,
                                      .attention_rows = 24,
                                      .multiply = multiply<Avx512>,
                                      .maximum = maximum<Avx512>,
                                      .exponentials = exponentials_f32,
                                      .spin = spin<Avx512>,
                                      .flop_per_round = spinning_sums * Avx512::width * 2};
  return kernels;
}

}  // namespace poplens::cpu
