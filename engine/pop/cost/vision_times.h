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

double predicted_vision_ms(const VisionTimes& times, int64_t soft_tokens);

// Square pictures to time the tower with.
struct SquarePictures {
  // Called before block `block` of `blocks`, and once more behind the last.
  using OnBlock = std::function<void(int block, int blocks)>;

  std::function<Result<int64_t>(int side)> soft_tokens;  // of a picture of side x side pixels
  std::function<Result<void>(int side, const OnBlock& on_block, const std::stop_token& stop)> encode;
  // What one block's attention takes from `rows` soft tokens to `tokens`.
  std::function<Result<double>(int64_t rows, int64_t tokens)> attention_ms;
};

// Pictures that are made up for it, through all that an encoder does.
SquarePictures pictures_for(ImageEncoder& encoder);

// From one picture, as large as can be timed quickly, and from the attention of a few patches to those of a large one:
// what a large picture's attention takes is not guessed from a small one's. Where all pictures cost the same (Gemma-3),
// from the picture alone. One that would take longer than `most_ms` is not taken through all blocks.
Result<VisionTimes> calibrate_vision(const SquarePictures& pictures, double most_ms, const std::stop_token& stop);

}  // namespace poplens
