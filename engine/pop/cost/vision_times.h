// What the vision tower will take: a picture of T soft tokens costs fixed + linear * T + square * T^2, the last for its
// attention.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>

#include "engine/session/image_encoder.h"

namespace poplens {

struct VisionTimes {
  double fixed_ms = 0.0;
  double ms_per_token = 0.0;
  double ms_per_token_squared = 0.0;
};

double predicted_vision_ms(const VisionTimes& times, int64_t soft_tokens);

// Encodes small pictures made up for it, larger ones as long as one takes no more than `picture_ms`. Where all cost the
// same (Gemma-3), one is enough.
Result<VisionTimes> calibrate_vision(ImageEncoder& encoder, double picture_ms, const std::stop_token& stop);

}  // namespace poplens
