#include "app/cli/plan.h"

#include <cstdio>

#include "app/cli/console.h"
#include "engine/pop/auto_plan.h"
#include "engine/session/fingerprint.h"

namespace poplens::cli {
namespace {

std::string describe_choice(const AutoDepth& choice, const Boundary& boundary) {
  char line[200];
  std::snprintf(line, sizeof line, "Auto: the last %d layers, boundary %s; expected to cost %.3g nats an answer, ",
                choice.depth, to_string(boundary).c_str(), choice.predicted_rise);
  std::string text = line;
  if (choice.depth == 0) return "Auto: no layer can be pruned within --pop-max-loss";
  if (!choice.measured_rise) return text + "not measured (make the profile with --ablation)";
  std::snprintf(line, sizeof line, "measured %.3g", *choice.measured_rise);
  return text + line;
}

}  // namespace

Result<PopPlan> plan_for_model(const PlanOptions& options, const LoadedModel& model, bool pictures) {
  const int layers = model.decoder->spec().layer_count();
  if (options.profile.empty()) return make_plan(options, layers);
  POPLENS_TRY(profile, read_profile_of(options.profile, fingerprint_of(model)));
  const AutoDepth choice =
      deepest_within(profile.stage(prefill_stage_for(options.boundary, pictures)), options.max_loss.value_or(0.0));
  print_note(describe_choice(choice, options.boundary));
  PlanOptions chosen = options;
  chosen.profile.clear();
  chosen.max_loss.reset();
  chosen.depth = choice.depth;
  return make_plan(chosen, layers);
}

}  // namespace poplens::cli
