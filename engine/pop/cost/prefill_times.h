// What a prefill will take on this machine, from a few measured layers: prefill_cost.h with measured rates in the
// place of multiply-adds. One layer on m rows that see `visible` keys on average takes
//   layer(m, visible) = rows(m) + attention * m * visible
// rows(m) is measured at a few m and linear between them: few rows cost what reading the weights does, many what
// multiplying does.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/decoder_spec.h"
#include "engine/pop/plan.h"
#include "engine/session/prompt_extent.h"

namespace poplens {

struct RowTime {
  int64_t rows = 0;
  double ms = 0.0;
};

struct PrefillTimes {
  std::vector<RowTime> layer;          // ascending rows, at least two: one layer without its attention
  std::vector<RowTime> keys;           // ascending rows, at least two: K/V alone of one pruned layer
  double attention_ms_per_pair = 0.0;  // of a row and a key that it sees
  int64_t chunk_tokens = 1024;         // how the prefill will be cut
};

// Linear between measured points, and on beyond the last by the slope of the last two, unless that falls (few rows were
// disturbed): many more would take less than nothing.
double time_of_rows(const std::vector<RowTime>& measured, int64_t rows);

// Leaves of each layer's time what it took without the attention among its own rows, a tenth at the least.
void take_off_attention(std::vector<RowTime>& layer, double ms_per_pair);

// The prefill of the positions from prompt.first on, of which those from boundary_begin on run in full, in ms. The last
// layer computes keys and values only, but for the last position, in a full prefill too.
double predicted_prefill_ms(const PrefillTimes& times, const DecoderSpec& spec, const PromptExtent& prompt,
                            const PopPlan& plan);

}  // namespace poplens
