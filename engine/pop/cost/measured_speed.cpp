#include "engine/pop/cost/measured_speed.h"

#include <algorithm>

#include "engine/base/clock.h"
#include "engine/pop/cost/calibrate.h"
#include "engine/session/fingerprint.h"

namespace poplens {
namespace {

constexpr double kPictureMs = 300.0;

std::string key_of(const LoadedModel& model, int64_t prefill_chunk_tokens) {
  return fingerprint_of(model).weights + " " + model.backend->description() + " " +
         name_of(model.decoder->activations()) + " " + std::to_string(prefill_chunk_tokens);
}

double time_first_token(Decoder& decoder) {
  std::vector<float> logits(static_cast<size_t>(decoder.spec().vocab));
  double best = 0.0;
  for (int run = 0; run < 2; ++run) {
    const auto start = Clock::now();
    decoder.logits(0, 1, logits);
    const double ms = ms_since(start);
    best = run == 0 ? ms : std::min(best, ms);
  }
  return best;
}

}  // namespace

Result<MeasuredSpeed> measure_speed(Decoder& decoder, const std::optional<SquarePictures>& pictures,
                                    int64_t prefill_chunk_tokens, const std::stop_token& stop) {
  MeasuredSpeed speed;
  POPLENS_TRY(prefill, calibrate_prefill(decoder, prefill_chunk_tokens, {}, stop));
  speed.prefill = std::move(prefill);
  speed.first_token_ms = time_first_token(decoder);
  if (pictures) {
    POPLENS_TRY(vision, calibrate_vision(*pictures, kPictureMs, stop));
    speed.vision = vision;
  }
  return speed;
}

Result<MeasuredSpeed> speed_of(const LoadedModel& model, int64_t prefill_chunk_tokens, const std::stop_token& stop) {
  const auto file = default_speed_file();
  const std::string key = key_of(model, prefill_chunk_tokens);
  if (file) {
    if (auto kept = read_speed(*file, key)) return *std::move(kept);
  }
  std::optional<SquarePictures> pictures;
  if (model.encoder != nullptr) pictures = pictures_for(*model.encoder);
  POPLENS_TRY(speed, measure_speed(*model.decoder, pictures, prefill_chunk_tokens, stop));
  if (file) static_cast<void>(keep_speed(*file, key, speed));
  return speed;
}

PromptExtent extent_of(const Prompt& prompt, const Boundary& boundary) {
  PromptExtent extent{.tokens = prompt.tokens(),
                      .boundary_begin = boundary_begin(boundary, prompt.tokens(), prompt.picture_spans())};
  for (const PromptPicture& picture : prompt.pictures) extent.picture_tokens.push_back(picture.geometry.soft_tokens());
  return extent;
}

double predicted_ttft_ms(const MeasuredSpeed& speed, const DecoderSpec& spec, const PromptExtent& prompt,
                         const PopPlan& plan) {
  double ms =
      speed.first_token_ms + predicted_prefill_ms(speed.prefill, spec, prompt.tokens, prompt.boundary_begin, plan);
  if (!speed.vision) return ms;
  for (const int64_t tokens : prompt.picture_tokens) ms += predicted_vision_ms(*speed.vision, tokens);
  return ms;
}

}  // namespace poplens
