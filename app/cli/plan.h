// The plan options as a plan for one loaded model.
#pragma once

#include "app/cli/options.h"
#include "engine/session/load_model.h"

namespace poplens::cli {

// Auto needs the model: its profile must be this model's. Says on standard error what Auto chose and what it stands on.
// `pictures`: whether the prompt holds any.
Result<PopPlan> plan_for_model(const PlanOptions& options, const LoadedModel& model, bool pictures);

}  // namespace poplens::cli
