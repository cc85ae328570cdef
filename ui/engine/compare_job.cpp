#include "ui/engine/compare_job.h"

#include <algorithm>

#include "ui/engine/engine_room.h"

namespace poplens::ui {

QList<int> sweep_depths(int layers) {
  constexpr int kPoints = 9;
  const int step = std::max(1, layers / kPoints);
  QList<int> depths;
  for (int depth = 0; depth < layers; depth += step) depths.append(depth);
  return depths;
}

Result<CompareOutcome> run_compare_job(EngineRoom& room, const CompareJob& job, const ComparisonSink& sink,
                                       const std::stop_token& stop) {
  if (stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};
  POPLENS_CHECK(room.load(job.ask.model));
  const int layers = room.facts().layers;
  POPLENS_TRY(request, room.request_for(job.ask));
  std::vector<PopPlan> plans;
  for (const int depth : job.sweep ? sweep_depths(layers) : job.depths) {
    const PlanChoice choice{depth < 0 ? layers / 3 : std::min(depth, layers), job.ask.plan.boundary};
    POPLENS_TRY(plan, plan_of(choice, layers));
    plans.push_back(std::move(plan));
  }
  POPLENS_TRY(sides, run_comparison(room.session(), request, plans, job.options, sink, stop));

  CompareOutcome outcome{.sides = {}, .options = job.options};
  for (const ComparedSide& side : sides) {
    outcome.sides.append({.text = QString::fromStdString(side.answer.text),
                          .figures = figures_of(side.answer, room.facts()),
                          .runs = QList<ComparedRun>(side.runs.begin(), side.runs.end()),
                          .fromFull = difference_of(sides.front(), side)});
  }
  outcome.featuresShared = job.options.share_features && sides.front().answer.image_tokens > 0 &&
                           sides.front().answer.stages.vision_ms == 0.0;
  return outcome;
}

}  // namespace poplens::ui
