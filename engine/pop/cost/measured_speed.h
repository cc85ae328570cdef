// A loaded model's speed on this machine: as it was kept, or measured now.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/pop/cost/speed_file.h"
#include "engine/session/load_model.h"
#include "engine/session/prompt.h"

namespace poplens {

// Measures it now: prefill, first token, and the tower where there are pictures.
Result<MeasuredSpeed> measure_speed(Decoder& decoder, const std::optional<SquarePictures>& pictures,
                                    int64_t prefill_chunk_tokens, const std::stop_token& stop);

// Measuring takes a second or two; nobody else uses the model meanwhile. A file that cannot be written is no failure.
Result<MeasuredSpeed> speed_of(const LoadedModel& model, int64_t prefill_chunk_tokens, const std::stop_token& stop);

// What of a prompt decides how long it takes.
struct PromptExtent {
  int64_t tokens = 0;
  int64_t boundary_begin = 0;           // the first position that runs in full
  std::vector<int64_t> picture_tokens;  // soft tokens of each picture that is to be encoded
};

PromptExtent extent_of(const Prompt& prompt, const Boundary& boundary);

// From pressing send to the first token, pictures' towers included: everything but reading and resizing the files.
double predicted_ttft_ms(const MeasuredSpeed& speed, const DecoderSpec& spec, const PromptExtent& prompt,
                         const PopPlan& plan);

}  // namespace poplens
