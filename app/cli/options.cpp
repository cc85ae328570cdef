#include "app/cli/options.h"

#include <algorithm>
#include <charconv>

namespace poplens::cli {
namespace {

template <typename Number>
Result<std::vector<Number>> parse_list(const std::string& text, const std::string& what) {
  std::vector<Number> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    Number number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    const bool more = next != end && *next == ',' && next + 1 != end;
    if (error != std::errc() || number < 0 || (next != end && !more)) {
      return Error{std::string("'").append(text).append("' is not a list of ").append(what).append(" like 1,2,3")};
    }
    numbers.push_back(number);
    at = more ? next + 1 : next;
  }
  return numbers;
}

}  // namespace

Result<std::vector<int32_t>> parse_ids(const std::string& text) {
  return parse_list<int32_t>(text, "token ids");
}

Result<std::vector<int>> parse_depths(const std::string& text) {
  POPLENS_TRY(given, parse_list<int>(text, "depths"));
  std::vector<int> depths;
  for (const int depth : given) {
    if (std::find(depths.begin(), depths.end(), depth) == depths.end()) depths.push_back(depth);
  }
  return depths;
}

Result<PopPlan> make_plan(const PlanOptions& options, int layer_count) {
  POPLENS_TRY(plan, options.layers ? PopPlan::of_layers(layer_count, *options.layers, options.boundary)
                                   : PopPlan::suffix(layer_count, options.depth.value_or(0), options.boundary));
  plan.per_layer_kv = options.per_layer_kv;
  plan.separate_boundary = options.separate_boundary;
  return plan;
}

Sampling make_sampling(const SamplingOptions& options, const GenerationDefaults& defaults, uint64_t seed) {
  return Sampling{.temperature = options.temperature.value_or(defaults.sample ? defaults.temperature : 0.0),
                  .top_k = options.top_k.value_or(defaults.top_k),
                  .top_p = options.top_p.value_or(defaults.top_p),
                  .min_p = options.min_p.value_or(defaults.min_p),
                  .repetition_penalty = options.repetition_penalty.value_or(defaults.repetition_penalty),
                  .seed = seed};
}

Result<LoadOptions> make_load_options(const CommonOptions& common) {
  if (common.gpu_layers != "auto" && common.gpu_layers != "0") {
    return Error{"--gpu-layers " + common.gpu_layers + ": this build has no CUDA backend; leave it at auto"};
  }
  return LoadOptions{.device = common.device,
                     .activations = common.dtype,
                     .threads = common.threads,
                     .max_image_tokens = common.max_image_tokens};
}

}  // namespace poplens::cli
