// Golden cases of tests/data/<family>/<checkpoint>/cases.json (made by tests/reference), and the checkpoint made ready
// to run them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/load_model.h"
#include "engine/session/session.h"

namespace poplens::test {

struct GoldenGreedy {
  std::vector<int32_t> tokens;
  std::vector<double> gaps;  // between the best two logits, at every step
};

struct GoldenPop {
  std::string tensor;  // logits of the boundary rows
  std::vector<int> layers;
  std::string boundary;
  std::vector<int64_t> rows;
  GoldenGreedy greedy;
};

struct GoldenCase {
  std::string checkpoint;
  std::string name;
  PromptRequest prompt;
  std::vector<int32_t> ids;
  std::vector<int64_t> logits_rows;
  GoldenGreedy greedy;
  double bf16_nmse = 0.0;
  double f32_noise_nmse = 0.0;
  double f32_noise_max = 0.0;
  std::vector<GoldenPop> pop;
  std::filesystem::path tensors;

  // A tensor of the case as f32, with its shape. Fails the program on a missing one: the data are ours.
  std::vector<float> tensor(const std::string& tensor_name, std::vector<int64_t>* shape = nullptr) const;
  bool has_tensor(const std::string& tensor_name) const;
};

// All cases of one checkpoint; `folder` is tests/data/<family>/<checkpoint>.
std::vector<GoldenCase> read_golden_cases(const std::filesystem::path& folder);

std::filesystem::path test_data(const std::string& relative);

// The checkpoint as an ordinary user would load it.
LoadedModel load_checkpoint(const std::filesystem::path& folder, DType activations);
Session make_session(const LoadedModel& model, int64_t prefill_chunk_tokens = 1024);

struct Difference {
  double nmse = 0.0;          // sum of squared differences over sum of squares of the expected values
  double max_over_rms = 0.0;  // largest difference over the root mean square of the expected values
};
Difference compare(std::span<const float> actual, std::span<const float> expected);

}  // namespace poplens::test
