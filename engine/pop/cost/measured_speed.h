// A loaded model's speed on this machine: as it was kept, or measured now.
#pragma once

#include <stop_token>

#include "engine/pop/cost/speed_file.h"
#include "engine/session/load_model.h"
#include "engine/session/prompt.h"

namespace poplens {

// Measuring takes a second or two; nobody else uses the model meanwhile. A file that cannot be written is no failure.
Result<MeasuredSpeed> speed_of(const LoadedModel& model, int64_t prefill_chunk_tokens, const std::stop_token& stop);

// From pressing send to the first token, pictures' towers included: everything but reading and resizing the files.
double predicted_ttft_ms(const MeasuredSpeed& speed, const DecoderSpec& spec, const Prompt& prompt,
                         const PopPlan& plan);

}  // namespace poplens
