#include "app/cli/reports.h"

#include <cstdio>

#include <nlohmann/json.hpp>

#include "engine/session/memory_need.h"

namespace poplens::cli {

using nlohmann::ordered_json;

namespace {

// "3, 5, 16-23"
std::string describe_layers(const std::vector<int>& layers) {
  std::string text;
  for (size_t i = 0; i < layers.size();) {
    size_t last = i;
    while (last + 1 < layers.size() && layers[last + 1] == layers[last] + 1) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(layers[i]);
    if (last > i) text += "-" + std::to_string(layers[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace

ordered_json plan_report(const PopPlan& plan) {
  return {{"layers", plan.layers},
          {"boundary", to_string(plan.boundary)},
          {"per_layer_kv", plan.per_layer_kv},
          {"separate_boundary", plan.separate_boundary}};
}

ordered_json stages_report(const StageTimes& stages) {
  ordered_json report;
  for (const NamedStageTime& stage : kStageTimes) report[stage.name] = stages.*stage.ms;
  return report;
}

ordered_json rows_report(const PrefillTrace& trace) {
  ordered_json full = ordered_json::array();
  ordered_json kv_only = ordered_json::array();
  for (const LayerRows& rows : trace.layers) {
    full.push_back(rows.full);
    kv_only.push_back(rows.kv_only);
  }
  return {{"full", std::move(full)}, {"kv_only", std::move(kv_only)}};
}

ordered_json answer_report(const Answer& answer, const Backend& backend) {
  return {{"text", answer.text},
          {"tokens", answer.tokens},
          {"finish_reason", name_of(answer.finish_reason)},
          {"prompt_tokens", answer.prompt_tokens},
          {"image_tokens", answer.image_tokens},
          {"reused_tokens", answer.reused_tokens},
          {"reused_pictures", answer.reused_pictures},
          {"boundary_tokens", answer.boundary_tokens},
          {"plan", plan_report(answer.plan)},
          {"ttft_ms", answer.ttft_ms},
          {"stages_ms", stages_report(answer.stages)},
          {"decode_tokens_per_s", answer.decode_tokens_per_s},
          {"layer_rows", rows_report(answer.trace)},
          {"warnings", answer.warnings},
          {"device", backend.description()},
          {"peak_memory_bytes", peak_memory_bytes()}};
}

std::string describe_plan(const Answer& answer) {
  if (answer.plan.empty()) return "full model";
  return "layers " + describe_layers(answer.plan.layers) + " pruned in the prefill, boundary " +
         to_string(answer.plan.boundary) + " (" + std::to_string(answer.boundary_tokens) + " of " +
         std::to_string(answer.prompt_tokens) + " tokens in full)";
}

std::string format_ms(double ms) {
  char text[48];
  std::snprintf(text, sizeof text, ms < 100.0 ? "%.1f ms" : "%.0f ms", ms);
  return text;
}

}  // namespace poplens::cli
