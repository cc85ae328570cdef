// What the command line says, as plain values; command_line.cpp fills them and nothing else parses arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/weight_source.h"
#include "engine/pop/evaluation/method.h"
#include "engine/pop/evaluation/scoring.h"
#include "engine/pop/plan.h"
#include "engine/session/load_model.h"

namespace poplens::cli {

struct CommonOptions {
  std::string model;   // a folder, or the name of a bundled model
  std::string mmproj;  // belongs to GGUF files
  DeviceChoice device = DeviceChoice::automatic;
  std::optional<DType> dtype;  // of activations and cache; nothing: by the model
  int threads = 0;             // 0: all cores
  std::optional<int> max_image_tokens;
  uint64_t seed = 0;
  int64_t prefill_chunk_tokens = 1024;
  std::string gpu_layers = "auto";
  bool json = false;
};

struct PromptOptions {
  std::optional<std::string> prompt;
  std::optional<std::string> system;
  std::vector<std::string> images;  // files
  std::string messages;             // a JSON file
  bool raw = false;
  bool bos = false;
  bool pan_and_scan = false;
};

struct PlanOptions {
  std::optional<int> depth;
  std::optional<std::vector<int>> layers;
  Boundary boundary;
  std::string profile;
  std::optional<double> max_loss;
  bool per_layer_kv = false;
  bool separate_boundary = false;

  bool given() const { return depth || layers || !profile.empty() || max_loss; }
};

struct SamplingOptions {
  int64_t max_tokens = 512;
  std::optional<double> temperature;
  std::optional<int> top_k;
  std::optional<double> top_p;
  std::optional<double> min_p;
  std::optional<double> repetition_penalty;
  std::vector<std::string> stop_strings;
};

struct GenerateOptions {
  CommonOptions common;
  PromptOptions prompt;
  PlanOptions plan;
  SamplingOptions sampling;
};

struct CompareOptions {
  GenerateOptions generate;
  int runs = 3;
};

struct LogitsOptions {
  CommonOptions common;
  PromptOptions prompt;
  PlanOptions plan;
  std::string out;
};

struct PixelsOptions {
  CommonOptions common;
  std::string image;
  bool pan_and_scan = false;
  std::string out;
};

struct TokenizeOptions {
  CommonOptions common;
  PromptOptions prompt;
  std::optional<std::vector<int32_t>> ids;
  bool stdin_lines = false;
  bool chat = false;
  bool parse_special = false;
};

struct InspectOptions {
  CommonOptions common;
  std::vector<std::string> images;
};

struct BenchOptions {
  CommonOptions common;
  std::string shape;
  std::optional<int> layers;  // only the first so many
  int image_tokens = 0;
  int prompt_tokens = 512;  // text behind the picture
  std::vector<int> depths;  // empty: a third and a half of the layers
  PlanOptions plan;         // its boundary and forms; the depths are those above
  int decode_tokens = 16;
  int runs = 3;
  bool no_vision = false;
};

struct ModelsOptions {
  std::vector<std::string> folders;  // looked in beside the usual ones
  bool json = false;
};

struct EvalOptions {
  CommonOptions common;
  std::string data;
  int64_t samples = 0;  // 0: all
  std::vector<int> depths;
  std::vector<EvalMethod> methods;
  Boundary boundary;
  Score score = Score::exact;
  bool loss_only = false;
};

struct ImportanceOptions {
  CommonOptions common;
  std::string data;
  int64_t samples = 0;  // 0: all; fewer are spread evenly over the file
  std::string labels = "data";
  bool ablation = false;
  std::string out;
};

// "1,2,3" as token ids.
Result<std::vector<int32_t>> parse_ids(const std::string& text);
// "0,7,14" as pruning depths, each once.
Result<std::vector<int>> parse_depths(const std::string& text);

// The plan for a decoder of `layer_count` layers; Auto is plan_for_model (plan.h).
Result<PopPlan> make_plan(const PlanOptions& options, int layer_count);
// What the model's files recommend, but where the command line says otherwise.
Sampling make_sampling(const SamplingOptions& options, const GenerationDefaults& defaults, uint64_t seed);
// Refuses what this build cannot do: GPU layers.
Result<LoadOptions> make_load_options(const CommonOptions& common);

}  // namespace poplens::cli
