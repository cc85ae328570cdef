#include "app/cli/plan.h"

#include <cstdio>

#include "app/cli/console.h"
#include "engine/pop/auto_plan.h"
#include "engine/session/fingerprint.h"

namespace poplens::cli {
namespace {

std::string describe_choice(const AutoDepth& choice, const Boundary& boundary) {
  if (choice.depth == 0) return "Auto: no layer can be pruned within --pop-max-loss";
  char line[200];
  std::snprintf(line, sizeof line,
                "Auto: the last %d layers, boundary %s; measured to cost %.3g nats an answer, expected %.3g",
                choice.depth, to_string(boundary).c_str(), choice.measured_rise, choice.predicted_rise);
  const bool other = boundary.kind == Boundary::Kind::count && boundary.tokens != 1;
  return std::string(line) + (other ? " (both with boundary last)" : "");
}

}  // namespace

Result<PopPlan> plan_for_model(const PlanOptions& options, const LoadedModel& model, bool pictures) {
  const int layers = model.decoder->spec().layer_count();
  if (options.profile.empty()) return make_plan(options, layers);
  POPLENS_TRY(profile, read_profile_of(options.profile, fingerprint_of(model)));
  const GateStage stage = prefill_stage_for(options.boundary, pictures);
  if (profile.stage(stage).suffix_rises.empty()) {
    return Error{options.profile + ": has no 'suffix_rise' for " + name_of(stage) +
                 ", the measured losses that Auto goes by; make it again with 'importance'"};
  }
  const AutoDepth choice = deepest_within(profile.stage(stage), options.max_loss.value_or(0.0));
  print_note(describe_choice(choice, options.boundary));
  PlanOptions chosen = options;
  chosen.profile.clear();
  chosen.max_loss.reset();
  chosen.depth = choice.depth;
  return make_plan(chosen, layers);
}

}  // namespace poplens::cli
