// Questions with known answers: the lines of a --data file, and each made ready for the decoder.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/pop/importance/answer_sample.h"
#include "engine/session/load_model.h"

namespace poplens::cli {

struct DataItem {
  std::vector<std::filesystem::path> images;
  std::string prompt;
  std::string answer;
  std::string task;  // empty: none given
};

// One JSON object a line: {"image": "file" | ["file", …], "prompt": …, "answer": …, "task": …}; picture files lie
// relative to the data file. Empty lines are passed over. `most`: no more lines than that, 0 for all. Fails with the
// number of the line that is wrong, and on a file without samples.
Result<std::vector<DataItem>> read_data_file(const std::filesystem::path& path, int64_t most = 0);

struct ReadySample {
  AnswerSample sample;
  double vision_ms = 0.0;  // decoding, resizing and encoding its pictures
};

// Reads and encodes the item's pictures and tokenizes both texts.
Result<ReadySample> prepare_sample(const LoadedModel& model, const DataItem& item, const std::stop_token& stop);

}  // namespace poplens::cli
