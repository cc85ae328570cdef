// A measurement under way, kept in a file so that an interrupted one goes on where it was.
#pragma once

#include "engine/pop/importance/importance_sums.h"

namespace poplens {

// What must be the same for a measurement to go on.
struct ImportanceJob {
  ModelFingerprint model;
  std::string data;  // SHA-256 of the data file
  int64_t samples = 0;
  std::string labels;
  uint64_t seed = 0;
  bool ablation = false;

  bool operator==(const ImportanceJob&) const = default;
};

struct ImportanceState {
  ImportanceJob job;
  ImportanceSums sums;  // of the first sums.samples() samples
};

Result<void> save_state(const std::filesystem::path& path, const ImportanceState& state);
// Fails with one sentence where the file is damaged, or belongs to another job than `job`.
Result<ImportanceState> load_state(const std::filesystem::path& path, const ImportanceJob& job);

}  // namespace poplens
