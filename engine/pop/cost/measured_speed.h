// A loaded model's speed on this machine: as it was kept, or measured now.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/pop/cost/speed_file.h"
#include "engine/session/events.h"
#include "engine/session/fingerprint.h"
#include "engine/session/load_model.h"
#include "engine/session/prompt_extent.h"

namespace poplens {

// Measures it now: prefill, first token, and the tower where there are pictures.
Result<MeasuredSpeed> measure_speed(Decoder& decoder, const std::optional<SquarePictures>& pictures,
                                    int64_t prefill_chunk_tokens, const std::stop_token& stop);

// What the model's speed on this machine is kept under.
std::string speed_key(const LoadedModel& model, const ModelFingerprint& fingerprint, int64_t prefill_chunk_tokens);
// Measuring takes a second or two; nobody else uses the model meanwhile. A file that cannot be written is no failure.
Result<MeasuredSpeed> speed_of(const LoadedModel& model, int64_t prefill_chunk_tokens, const std::stop_token& stop);

// From pressing send to the first token, pictures' towers included: everything but reading and resizing the files. As
// the calibration tells it, corrected by what answers took since.
double predicted_ttft_ms(const MeasuredSpeed& speed, const DecoderSpec& spec, const PromptExtent& prompt,
                         const PopPlan& plan);

// A prompt that was read in, and what that took.
struct ComputedPrompt {
  PromptExtent extent;
  PopPlan plan;
  StageTimes stages;
};

void learn(MeasuredSpeed& speed, const DecoderSpec& spec, const ComputedPrompt& prompt);
// For the next start: learns into the speed that is kept under `key`. Nothing where none is.
void keep_learnt(const std::string& key, const DecoderSpec& spec, const ComputedPrompt& prompt);

}  // namespace poplens
