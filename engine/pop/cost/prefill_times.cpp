#include "engine/pop/cost/prefill_times.h"

#include <algorithm>

namespace poplens {
namespace {

// Keys that the positions [begin, end) see on average under a causal mask, or through a window.
double visible_keys(int64_t begin, int64_t end, int64_t window) {
  const double average = static_cast<double>(begin + end) / 2.0;
  if (window <= 0 || average <= static_cast<double>(window)) return average;
  return static_cast<double>(window);
}

// Nobody reads the last layer's output but the last position's, pruned or not.
int64_t full_from(int layer, const DecoderSpec& spec, const PromptExtent& prompt, const PopPlan& plan) {
  if (layer + 1 == spec.layer_count()) return prompt.tokens - 1;
  return plan.prunes(layer) ? prompt.boundary_begin : 0;
}

}  // namespace

double time_of_rows(const std::vector<RowTime>& measured, int64_t rows) {
  if (rows <= 0) return 0.0;
  if (rows <= measured.front().rows) return measured.front().ms;
  size_t next = 1;
  while (next + 1 < measured.size() && measured[next].rows < rows) ++next;
  const RowTime &low = measured[next - 1], &high = measured[next];
  const double slope = (high.ms - low.ms) / static_cast<double>(high.rows - low.rows);
  if (rows > high.rows) return high.ms + std::max(slope, 0.0) * static_cast<double>(rows - high.rows);
  return low.ms + slope * static_cast<double>(rows - low.rows);
}

void take_off_attention(std::vector<RowTime>& layer, double ms_per_pair) {
  constexpr double kLeast = 0.1;
  for (RowTime& one : layer) {
    const double pairs = static_cast<double>(one.rows) * static_cast<double>(one.rows) / 2.0;
    one.ms = std::max(one.ms - ms_per_pair * pairs, kLeast * one.ms);
  }
}

double predicted_prefill_ms(const PrefillTimes& times, const DecoderSpec& spec, const PromptExtent& prompt,
                            const PopPlan& plan) {
  double total = 0.0;
  for (int64_t begin = prompt.first; begin < prompt.tokens; begin += times.chunk_tokens) {
    const int64_t end = std::min(begin + times.chunk_tokens, prompt.tokens);
    for (int layer = 0; layer < spec.layer_count(); ++layer) {
      const int64_t first = std::clamp(full_from(layer, spec, prompt, plan), begin, end);
      const auto rows = static_cast<double>(end - first);
      total +=
          time_of_rows(times.keys, first - begin) + time_of_rows(times.layer, end - first) +
          times.attention_ms_per_pair * rows * visible_keys(first, end, spec.layers[static_cast<size_t>(layer)].window);
    }
  }
  return total;
}

}  // namespace poplens
