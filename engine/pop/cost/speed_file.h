// Measured speeds, kept from one start to the next: one JSON file for all models and devices.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/pop/cost/answer_times.h"
#include "engine/pop/cost/prefill_times.h"
#include "engine/pop/cost/vision_times.h"

namespace poplens {

struct MeasuredSpeed {
  PrefillTimes prefill;
  double first_token_ms = 0.0;            // logits of one position
  std::optional<VisionTimes> vision;      // of models that read pictures
  AnswerTimes prefill_took, vision_took;  // what answers took since it was measured
};

// $XDG_CACHE_HOME/poplens/speed.json, or below ~/.cache; nothing where neither is known.
std::optional<std::filesystem::path> default_speed_file();

// What was kept under `key`; nothing if there is no such entry, or the file is damaged: it is measured again then.
std::optional<MeasuredSpeed> read_speed(const std::filesystem::path& file, const std::string& key);
// Adds or replaces the entry.
Result<void> keep_speed(const std::filesystem::path& file, const std::string& key, const MeasuredSpeed& speed);

}  // namespace poplens
