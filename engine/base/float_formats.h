// Conversions between f32 and the two 16-bit formats that weights and activations come in.
//
// The functions have internal linkage on purpose: translation units built for one instruction set include this header
// too, and the linker must not pick their copies for the units that run on every machine.
#pragma once

#include <bit>
#include <cstdint>

namespace poplens {

// The upper half of an f32: exact.
[[maybe_unused]] static constexpr float f32_from_bf16(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

// Round to nearest, ties to even; a NaN stays a (quiet) NaN of the same sign.
[[maybe_unused]] static constexpr uint16_t bf16_from_f32(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<uint16_t>((bits >> 16) | 0x0040U);
  return static_cast<uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

// IEEE 754 binary16, subnormals, infinities and NaNs included: exact.
[[maybe_unused]] static constexpr float f32_from_f16(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000U) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1FU;
  const uint32_t fraction = bits & 0x3FFU;
  if (exponent == 0x1FU) return std::bit_cast<float>(sign | 0x7F800000U | (fraction << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112U) << 23) | (fraction << 13));
  const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
  return sign != 0 ? -magnitude : magnitude;
}

}  // namespace poplens
