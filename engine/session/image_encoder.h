// What a session needs of vision, declared here and implemented in the vision room.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/device_weights.h"
#include "engine/session/events.h"

namespace poplens {

// A part of a picture, in pixels.
struct PictureCrop {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

// A picture file in memory, or a part of what it shows. `name` is for messages only. `max_tokens` bounds this picture's
// soft tokens where the family chooses their number (Qwen3-VL); nothing: as the encoder was made.
struct Picture {
  std::string name;
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
  std::optional<PictureCrop> crop;
  std::optional<int> max_tokens;
};

struct PictureGeometry {
  int width = 0;  // of the picture as shown (EXIF orientation applied)
  int height = 0;
  int model_width = 0;  // what the vision tower sees
  int model_height = 0;
  int grid_rows = 0;  // soft tokens, row-major [grid_rows, grid_cols]
  int grid_cols = 0;
  int64_t soft_tokens() const { return static_cast<int64_t>(grid_rows) * grid_cols; }
};

// Reads sizes from a file's header; decodes no pixels and needs no weights.
class PictureMeasurer {
 public:
  virtual ~PictureMeasurer() = default;
  virtual Result<PictureGeometry> measure(const Picture& picture) const = 0;
  // The parts of the picture that are worth being shown beside it (Gemma-3's pan and scan); none in other families.
  virtual std::vector<PictureCrop> crops(const PictureGeometry& /*geometry*/) const { return {}; }
};

struct PictureFeatures {
  DeviceArray main;                    // [soft_tokens, hidden] f32
  std::vector<DeviceArray> deepstack;  // [soft_tokens, hidden] f32 each
};

// Called between parts of the work; also where a stop takes effect.
struct EncodeProgress {
  std::function<void(Stage)> started;
  std::function<void(Stage, double ms)> finished;
  std::function<void(Stage, int64_t done, int64_t total)> progress;
};

class ImageEncoder : public PictureMeasurer {
 public:
  // Bytes needed at the most while encoding a picture of this geometry.
  virtual int64_t workspace_bytes(const PictureGeometry& geometry) const = 0;
  virtual Result<PictureFeatures> encode(const Picture& picture, const EncodeProgress& progress,
                                         const std::stop_token& stop) = 0;
  // What the attention of one block takes from the patches of `rows` soft tokens to those of `tokens`. 0 where all
  // pictures are of one size: nobody asks for it there.
  virtual Result<double> attention_ms(int64_t /*rows*/, int64_t /*tokens*/) { return 0.0; }
};

}  // namespace poplens
