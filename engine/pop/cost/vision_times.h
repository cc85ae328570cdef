// What the vision tower will take: a picture of T soft tokens costs linear * T + square * T^2, the last for its
// attention.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "engine/session/image_encoder.h"

namespace poplens {

struct VisionTimes {
  double ms_per_token = 0.0;
  double ms_per_token_squared = 0.0;
};

// One picture as it was timed.
struct PictureTime {
  int64_t soft_tokens = 0;
  double ms = 0.0;
};

// Through the smallest and the largest picture from zero on: what does not depend on the size is small beside a tower.
// Ascending sizes, at least one; one alone gives a straight line.
VisionTimes fit_vision_times(const std::vector<PictureTime>& pictures);

double predicted_vision_ms(const VisionTimes& times, int64_t soft_tokens);

// Encodes small pictures made up for it, larger ones as long as one takes no more than `picture_ms`. Where all cost the
// same (Gemma-3), one is enough.
Result<VisionTimes> calibrate_vision(ImageEncoder& encoder, double picture_ms, const std::stop_token& stop);

}  // namespace poplens
