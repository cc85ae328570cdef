// What follows from where tokens stand: rotary angles and who sees whom.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/decoder_spec.h"
#include "engine/pop/plan.h"

namespace poplens {

// Position of a token on the three axes of M-RoPE (t, h, w); all equal for text.
using RopePosition = std::array<int32_t, 3>;

struct RopeTable {
  std::vector<float> cos;  // [positions, head_dim / 2]
  std::vector<float> sin;  // [positions, head_dim / 2]
};

// Angles in single precision, as transformers has them.
RopeTable rope_table(const RopeSpec& rope, std::span<const RopePosition> positions);

// The keys that the sequence positions [first, first + count) see: those up to their own, not further back than
// `window` (0: all), and the whole picture that they belong to. both_ways: pictures whose tokens see each other,
// ascending.
std::vector<KeyRange> visible_keys(int64_t first, int64_t count, int64_t window, std::span<const TokenSpan> both_ways);

}  // namespace poplens
