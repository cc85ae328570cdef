// Measures PrefillTimes on a loaded decoder, in about a second: a layer or two at a few numbers of rows.
#pragma once

#include <stop_token>

#include "engine/pop/cost/layer_timer.h"
#include "engine/pop/cost/prefill_times.h"

namespace poplens {

struct CalibrationLimits {
  double rows_ms = 1100.0;                  // for all that is not needed in any case
  double keys_ms = 150.0;                   // for one timing of K/V: more rows are left out
  int64_t memory_bytes = int64_t{1} << 30;  // for cache and workspace
};

// Nobody else uses the decoder meanwhile. Fails when memory is short or on a stop.
Result<PrefillTimes> calibrate_prefill(Decoder& decoder, int64_t chunk_tokens, const CalibrationLimits& limits,
                                       const std::stop_token& stop);

// The same on a timer for up to `most_rows` rows at once, and attention to `most_keys` keys.
Result<PrefillTimes> calibrate_prefill(LayerTimer& timer, int64_t most_rows, int64_t most_keys, int64_t chunk_tokens,
                                       const CalibrationLimits& limits);

}  // namespace poplens
