// What an evaluation compares: the model as it is, POP, and the ablations of arXiv 2602.03295 (section 4): pruning
// without a boundary, the same layers skipped in the decode, or in both stages.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/pop/gates.h"
#include "engine/pop/plan.h"

namespace poplens {

enum class EvalMethod : uint8_t { full, pop, pop_no_boundary, decode, both };

const char* name_of(EvalMethod method);
Result<EvalMethod> parse_eval_method(std::string_view name);
// Names separated by commas.
Result<std::vector<EvalMethod>> parse_eval_methods(std::string_view names);

// full and pop run as they do in use, under a plan; the ablations are virtual gates and cost what the full model does.
bool runs_as_in_use(EvalMethod method);
inline bool has_depth(EvalMethod method) {
  return method != EvalMethod::full;
}

// The plan of a method that runs as in use; `depth` is at most layer_count.
PopPlan plan_for(EvalMethod method, int layer_count, int depth, Boundary boundary);
// The gates of an ablation: 0 for the last `depth` layers in the stages that it prunes. The decode stage begins at
// boundary_begin, or behind the prompt's last position where the method has no boundary.
VirtualGates gates_for(EvalMethod method, int layer_count, int depth, int64_t boundary_begin, int64_t prompt_tokens);

}  // namespace poplens
