// Measures PrefillTimes on a loaded decoder, in about a second: a layer or two at a few numbers of rows.
#pragma once

#include <stop_token>

#include "engine/model/decoder.h"
#include "engine/pop/cost/prefill_times.h"

namespace poplens {

struct CalibrationLimits {
  double rows_ms = 1100.0;                  // for all numbers of rows: larger ones that would take longer are left out
  double keys_ms = 100.0;                   // likewise for K/V of a third of the layers, a number of rows
  int64_t memory_bytes = int64_t{1} << 30;  // for cache and workspace
};

// Nobody else uses the decoder meanwhile. Fails when memory is short or on a stop.
Result<PrefillTimes> calibrate_prefill(Decoder& decoder, int64_t chunk_tokens, const CalibrationLimits& limits,
                                       const std::stop_token& stop);

}  // namespace poplens
