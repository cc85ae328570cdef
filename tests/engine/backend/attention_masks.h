// Who sees whom in the tests of the attention and of its way back.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/backend/backend.h"

namespace poplens::test {

// Keys that the query at `position` sees, out of `keys`.
using Mask = KeyRange (*)(int position, int keys);

inline KeyRange causal(int position, int /*keys*/) {
  return {0, position + 1};
}
inline KeyRange sliding_window(int position, int /*keys*/) {
  constexpr int kWindow = 37;
  return {std::max(0, position + 1 - kWindow), position + 1};
}
inline KeyRange everything(int /*position*/, int keys) {
  return {0, keys};
}
// Causal text with two pictures, inside which everything sees everything.
inline KeyRange pictures(int position, int keys) {
  for (const auto& [begin, end] : {std::pair(keys / 4, keys / 2), std::pair(keys - keys / 5, keys)}) {
    if (position >= begin && position < end) return {0, end};
  }
  return {0, position + 1};
}
// Three pictures of a vision tower: none sees another.
inline KeyRange segments(int position, int keys) {
  const int first = keys / 3;
  const int second = keys - keys / 4;
  if (position < first) return {0, first};
  return position < second ? KeyRange{first, second} : KeyRange{second, keys};
}
// Nobody sees the beginning, and both ends move.
inline KeyRange middle(int position, int keys) {
  return {std::min(keys - 1, keys / 3 + position / 4), std::max(keys / 2 + 1, position + 1)};
}

struct NamedMask {
  const char* name;
  Mask mask;
};
constexpr NamedMask kMasks[] = {{"causal", causal},         {"sliding window", sliding_window},
                                {"everything", everything}, {"pictures", pictures},
                                {"segments", segments},     {"middle", middle}};

// The last `rows` of `keys` positions.
inline std::vector<KeyRange> ranges_of(Mask mask, int rows, int keys) {
  std::vector<KeyRange> ranges;
  for (int position = keys - rows; position < keys; ++position) ranges.push_back(mask(position, keys));
  return ranges;
}

inline AttentionShape shape_of(int heads, int kv_heads, int head_dim) {
  return {heads, kv_heads, head_dim, 1 / std::sqrt(static_cast<float>(head_dim))};
}

}  // namespace poplens::test
