#include "engine/model/positions.h"

#include <algorithm>
#include <cmath>

namespace poplens {

RopeTable rope_table(const RopeSpec& rope, std::span<const RopePosition> positions) {
  const size_t half = rope.inverse_frequency.size();
  RopeTable table{std::vector<float>(positions.size() * half), std::vector<float>(positions.size() * half)};
  size_t at = 0;
  for (const RopePosition& position : positions) {
    for (size_t pair = 0; pair < half; ++pair, ++at) {
      const double angle = static_cast<float>(position[rope.axis[pair]]) * rope.inverse_frequency[pair];
      table.cos[at] = static_cast<float>(std::cos(angle));
      table.sin[at] = static_cast<float>(std::sin(angle));
    }
  }
  return table;
}

std::vector<KeyRange> visible_keys(int64_t first, int64_t count, int64_t window, std::span<const TokenSpan> both_ways) {
  std::vector<KeyRange> ranges;
  ranges.reserve(static_cast<size_t>(count));
  auto span = both_ways.begin();
  for (int64_t position = first; position < first + count; ++position) {
    while (span != both_ways.end() && span->end <= position) ++span;
    const bool inside = span != both_ways.end() && span->begin <= position;
    const int64_t begin = window > 0 ? std::max<int64_t>(0, position + 1 - window) : 0;
    const int64_t end = inside ? span->end : position + 1;
    ranges.push_back({static_cast<int32_t>(begin), static_cast<int32_t>(end)});
  }
  return ranges;
}

}  // namespace poplens
