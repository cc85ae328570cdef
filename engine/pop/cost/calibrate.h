// Measures PrefillTimes on a loaded decoder, in about a second: a layer or two at a few numbers of rows.
#pragma once

#include <stop_token>

#include "engine/pop/cost/layer_timer.h"
#include "engine/pop/cost/prefill_times.h"

namespace poplens {

struct CalibrationLimits {
  double rows_ms = 1100.0;                  // larger numbers of rows that would take longer together are left out
  double keys_ms = 100.0;                   // likewise for a timing of K/V, a number of rows
  int64_t memory_bytes = int64_t{1} << 30;  // for cache and workspace
};

// Nobody else uses the decoder meanwhile. Fails when memory is short or on a stop.
Result<PrefillTimes> calibrate_prefill(Decoder& decoder, int64_t chunk_tokens, const CalibrationLimits& limits,
                                       const std::stop_token& stop);

// The same on a timer for `positions` positions and as many rows, whose layers see as far as `window` (0: all).
Result<PrefillTimes> calibrate_prefill(LayerTimer& timer, int64_t positions, int64_t window, int64_t chunk_tokens,
                                       const CalibrationLimits& limits);

}  // namespace poplens
