#include "engine/session/comparison.h"

#include <algorithm>

#include "engine/session/figures.h"

namespace poplens {
namespace {

// The warm-up gives the whole answer. Measured runs end with their first token: what they measure is over then, and the
// text would be the same.
GenerateRequest request_of_run(const GenerateRequest& request, const PopPlan& plan, const ComparisonOptions& options,
                               bool warm_up) {
  GenerateRequest run = request;
  run.plan = plan;
  run.reuse_cache = options.share_features;
  run.keep_first_logits = warm_up;
  if (!warm_up) run.max_tokens = 1;
  return run;
}

constexpr double StageTimes::*kStages[] = {&StageTimes::image_decode_ms, &StageTimes::preprocess_ms,
                                           &StageTimes::vision_ms,       &StageTimes::prefill_ms,
                                           &StageTimes::boundary_ms,     &StageTimes::first_token_ms};

ComparedRun mean_of(const ComparedRun& a, const ComparedRun& b) {
  ComparedRun mean{.ttft_ms = (a.ttft_ms + b.ttft_ms) / 2.0, .stages = {}};
  for (double StageTimes::*stage : kStages) mean.stages.*stage = (a.stages.*stage + b.stages.*stage) / 2.0;
  return mean;
}

}  // namespace

ComparedRun middle_run(std::vector<ComparedRun> runs) {
  if (runs.empty()) return {};
  std::sort(runs.begin(), runs.end(), [](const ComparedRun& a, const ComparedRun& b) { return a.ttft_ms < b.ttft_ms; });
  return mean_of(runs[(runs.size() - 1) / 2], runs[runs.size() / 2]);
}

Result<std::vector<ComparedSide>> run_comparison(Session& session, const GenerateRequest& request,
                                                 std::span<const PopPlan> plans, const ComparisonOptions& options,
                                                 const ComparisonSink& sink, const std::stop_token& stop) {
  std::vector<ComparedSide> sides(plans.size());
  size_t done = 0;
  for (int run = -1; run < options.runs; ++run) {
    const bool warm_up = run < 0;
    for (size_t turn = 0; turn < sides.size(); ++turn) {
      const size_t s = run % 2 == 1 ? sides.size() - 1 - turn : turn;
      const ComparisonStep step{s, run, done++, sides.size() * (static_cast<size_t>(options.runs) + 1)};
      const auto on_event = [&](const Event& event) {
        if (sink) sink(step, event);
      };
      session.forget_prompt();
      POPLENS_TRY(answer, session.generate(request_of_run(request, plans[s], options, warm_up), on_event, stop));
      if (answer.finish_reason == FinishReason::cancelled) return Error{"stopped", /*cancelled=*/true};
      if (warm_up) {
        sides[s].answer = std::move(answer);
      } else {
        sides[s].runs.push_back({answer.ttft_ms, answer.stages});
        sides[s].answer.computed = std::move(answer.computed);
      }
    }
  }
  for (ComparedSide& side : sides) {
    const ComparedRun middle = middle_run(side.runs);
    side.answer.ttft_ms = middle.ttft_ms;
    side.answer.stages = middle.stages;
  }
  return sides;
}

Difference difference_of(const ComparedSide& full, const ComparedSide& pop) {
  std::vector<double> ttft_ratios;
  std::vector<double> prefill_ratios;
  for (size_t i = 0; i < full.runs.size() && i < pop.runs.size(); ++i) {
    ttft_ratios.push_back(full.runs[i].ttft_ms / pop.runs[i].ttft_ms);
    prefill_ratios.push_back(full.runs[i].prefill_ms() / pop.runs[i].prefill_ms());
  }
  Difference difference{.ttft_ratio = median(std::move(ttft_ratios)),
                        .prefill_ratio = median(std::move(prefill_ratios)),
                        .divergence = first_divergence(full.answer.tokens, pop.answer.tokens),
                        .first_token_kl = kl_divergence(full.answer.first_logits, pop.answer.first_logits)};
  if (difference.divergence) {
    const size_t longer = std::max(full.answer.tokens.size(), pop.answer.tokens.size());
    difference.agreement = static_cast<double>(*difference.divergence) / static_cast<double>(longer);
  }
  return difference;
}

}  // namespace poplens
