// 2^f for f in [-1/2, 1/2], lowest power first: the polynomial of least relative error (2e-9; below 1 ulp when it is
// evaluated in f32 by Horner's rule with fused multiply-adds).
#pragma once

namespace poplens::cpu {

constexpr int exp2_degree = 6;
constexpr float exp2_coefficients[exp2_degree + 1] = {0x1p+0F,        0x1.62e430p-1F,  0x1.ebfbdcp-3F, 0x1.c6aee8p-5F,
                                                      0x1.3b2d4cp-7F, 0x1.5f3e52p-10F, 0x1.41fbbcp-13F};

}  // namespace poplens::cpu
