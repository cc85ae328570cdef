#include "engine/pop/evaluation/method.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

namespace poplens {
namespace {

constexpr std::array<std::pair<EvalMethod, const char*>, 5> kNames = {{
    {EvalMethod::full, "full"},
    {EvalMethod::pop, "pop"},
    {EvalMethod::pop_no_boundary, "pop-no-boundary"},
    {EvalMethod::decode, "decode"},
    {EvalMethod::both, "both"},
}};

void close_last(std::vector<LayerGates>& gates, int depth) {
  std::fill(gates.end() - depth, gates.end(), LayerGates{0.0F, 0.0F});
}

}  // namespace

const char* name_of(EvalMethod method) {
  const auto* entry = std::find_if(kNames.begin(), kNames.end(), [&](const auto& one) { return one.first == method; });
  return entry != kNames.end() ? entry->second : "";
}

Result<EvalMethod> parse_eval_method(std::string_view name) {
  for (const auto& [method, known] : kNames) {
    if (name == known) return method;
  }
  std::string all;
  for (const auto& [method, known] : kNames) {
    all.append(all.empty() ? "" : ", ").append(known);
  }
  return Error{std::string("'").append(name).append("' is not a method: ").append(all)};
}

Result<std::vector<EvalMethod>> parse_eval_methods(std::string_view names) {
  std::vector<EvalMethod> methods;
  while (true) {
    const size_t comma = names.find(',');
    POPLENS_TRY(method, parse_eval_method(names.substr(0, comma)));
    if (std::find(methods.begin(), methods.end(), method) == methods.end()) methods.push_back(method);
    if (comma == names.npos) return methods;
    names.remove_prefix(comma + 1);
  }
}

bool runs_as_in_use(EvalMethod method) {
  return method == EvalMethod::full || method == EvalMethod::pop;
}

PopPlan plan_for(EvalMethod method, int layer_count, int depth, Boundary boundary) {
  PopPlan plan{.layers = {}, .boundary = boundary};
  if (method == EvalMethod::pop) {
    plan.layers.resize(static_cast<size_t>(depth));
    std::iota(plan.layers.begin(), plan.layers.end(), layer_count - depth);
  }
  return plan;
}

VirtualGates gates_for(EvalMethod method, int layer_count, int depth, int64_t boundary_begin, int64_t prompt_tokens) {
  VirtualGates gates =
      VirtualGates::open(layer_count, method == EvalMethod::pop_no_boundary ? prompt_tokens : boundary_begin);
  if (method == EvalMethod::pop_no_boundary || method == EvalMethod::both) close_last(gates.prefill, depth);
  if (method == EvalMethod::decode || method == EvalMethod::both) close_last(gates.decode, depth);
  return gates;
}

}  // namespace poplens
