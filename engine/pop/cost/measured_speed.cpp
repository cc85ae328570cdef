#include "engine/pop/cost/measured_speed.h"

#include <algorithm>

#include "engine/base/clock.h"
#include "engine/pop/cost/calibrate.h"

namespace poplens {
namespace {

constexpr double kPictureMs = 300.0;

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

// As calibrated.
double tower_ms(const MeasuredSpeed& speed, const PromptExtent& prompt) {
  double ms = 0.0;
  if (!speed.vision) return ms;
  for (const int64_t tokens : prompt.picture_tokens) ms += predicted_vision_ms(*speed.vision, tokens);
  return ms;
}

// The decoder's weights are the key, and pictures may be read with them or not.
bool is_whole(const MeasuredSpeed& kept, const LoadedModel& model, int64_t prefill_chunk_tokens) {
  return kept.prefill.chunk_tokens == prefill_chunk_tokens && (kept.vision || model.encoder == nullptr);
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

std::string speed_key(const LoadedModel& model, const ModelFingerprint& fingerprint, int64_t prefill_chunk_tokens) {
  return fingerprint.weights + " " + model.backend->description() + " " + name_of(model.decoder->activations()) + " " +
         std::to_string(prefill_chunk_tokens);
}

Result<MeasuredSpeed> speed_of(const LoadedModel& model, int64_t prefill_chunk_tokens, const std::stop_token& stop) {
  const auto file = default_speed_file();
  const std::string key = speed_key(model, fingerprint_of(model), prefill_chunk_tokens);
  if (file) {
    auto kept = read_speed(*file, key);
    if (kept && is_whole(*kept, model, prefill_chunk_tokens)) return *std::move(kept);
  }
  std::optional<SquarePictures> pictures;
  if (model.encoder != nullptr) pictures = pictures_for(*model.encoder);
  POPLENS_TRY(speed, measure_speed(*model.decoder, pictures, prefill_chunk_tokens, stop));
  if (file) static_cast<void>(keep_speed(*file, key, speed));
  return speed;
}

double predicted_ttft_ms(const MeasuredSpeed& speed, const DecoderSpec& spec, const PromptExtent& prompt,
                         const PopPlan& plan) {
  const double prefill_ms = predicted_prefill_ms(speed.prefill, spec, prompt, plan);
  const double vision_ms = tower_ms(speed, prompt);
  return correction_of(speed.prefill_took, prefill_ms) * prefill_ms + speed.first_token_ms +
         correction_of(speed.vision_took, vision_ms) * vision_ms;
}

void learn(MeasuredSpeed& speed, const DecoderSpec& spec, const ComputedPrompt& prompt) {
  remember(speed.prefill_took, {predicted_prefill_ms(speed.prefill, spec, prompt.extent, prompt.plan),
                                prompt.stages.prefill_ms + prompt.stages.boundary_ms});
  remember(speed.vision_took, {tower_ms(speed, prompt.extent), prompt.stages.vision_ms});
}

void keep_learnt(const std::string& key, const DecoderSpec& spec, const ComputedPrompt& prompt) {
  const auto file = default_speed_file();
  if (!file || prompt.extent.first == prompt.extent.tokens) return;
  auto speed = read_speed(*file, key);
  if (!speed) return;
  learn(*speed, spec, prompt);
  static_cast<void>(keep_speed(*file, key, *speed));
}

}  // namespace poplens
