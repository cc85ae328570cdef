// poplens-cli compare: the same question answered by the full model and under a plan, in turn.
#include <cstdio>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/open_session.h"
#include "app/cli/plan.h"
#include "app/cli/progress.h"
#include "app/cli/reports.h"
#include "app/cli/request.h"
#include "engine/pop/cost/measured_speed.h"
#include "engine/session/comparison.h"

namespace poplens::cli {
namespace {

using nlohmann::ordered_json;

struct Comparison {
  ComparedSide full, pop;
  Difference difference;
  double predicted_full_ms = 0.0;  // TTFT
  double predicted_pop_ms = 0.0;
};

// A third of the layers, where the command line names no plan.
Result<PopPlan> plan_to_compare(const PlanOptions& options, const LoadedModel& model, bool pictures) {
  PlanOptions plan = options;
  if (!plan.given()) plan.depth = model.decoder->spec().layer_count() / 3;
  return plan_for_model(plan, model, pictures);
}

ordered_json run_report(const ComparedRun& run) {
  return {{"ttft_ms", run.ttft_ms}, {"stages_ms", stages_report(run.stages)}};
}

ordered_json comparison_report(const Comparison& comparison, const Backend& backend) {
  ordered_json runs = ordered_json::array();
  for (size_t i = 0; i < comparison.full.runs.size(); ++i) {
    runs.push_back({{"order", i % 2 == 0 ? ordered_json{"full", "pop"} : ordered_json{"pop", "full"}},
                    {"full", run_report(comparison.full.runs[i])},
                    {"pop", run_report(comparison.pop.runs[i])}});
  }
  ordered_json report = {
      {"full", answer_report(comparison.full.answer, backend)},
      {"pop", answer_report(comparison.pop.answer, backend)},
      {"ttft_ratio", comparison.difference.ttft_ratio},
      {"prefill_ratio", comparison.difference.prefill_ratio},
      {"predicted_ttft_ms", {{"full", comparison.predicted_full_ms}, {"pop", comparison.predicted_pop_ms}}},
      {"first_divergence", nullptr},
      {"first_token_kl", comparison.difference.first_token_kl},
      {"runs", std::move(runs)}};
  if (comparison.difference.divergence) report["first_divergence"] = *comparison.difference.divergence;
  return report;
}

std::string table_row(const char* name, const std::string& full, const std::string& pop) {
  char line[96];
  std::snprintf(line, sizeof line, "  %-16s %12s %12s\n", name, full.c_str(), pop.c_str());
  return line;
}

std::string comparison_text(const Comparison& comparison, const Backend& backend) {
  const Answer& full = comparison.full.answer;
  const Answer& pop = comparison.pop.answer;
  std::string text = backend.description() + "\n" + std::to_string(full.prompt_tokens) + " prompt tokens, " +
                     std::to_string(full.image_tokens) + " of them picture\nPOP: " + describe_plan(pop) + "\n\n";
  text += "Full model\n" + full.text + "\n\nPOP\n" + pop.text + "\n\n";
  text += table_row("", "full", "POP");
  const auto stage = [&](const char* name, double StageTimes::*member) {
    text += table_row(name, format_ms(full.stages.*member), format_ms(pop.stages.*member));
  };
  stage("image decoding", &StageTimes::image_decode_ms);
  stage("preprocessing", &StageTimes::preprocess_ms);
  stage("vision tower", &StageTimes::vision_ms);
  stage("prefill", &StageTimes::prefill_ms);
  stage("boundary", &StageTimes::boundary_ms);
  stage("first token", &StageTimes::first_token_ms);
  text += table_row("TTFT", format_ms(full.ttft_ms), format_ms(pop.ttft_ms));
  text += table_row("TTFT, predicted", format_ms(comparison.predicted_full_ms), format_ms(comparison.predicted_pop_ms));

  char line[160];
  std::snprintf(line, sizeof line, "\nTTFT ratio %.2f, prefill ratio %.2f (medians of %zu runs, full / POP)\n",
                comparison.difference.ttft_ratio, comparison.difference.prefill_ratio, comparison.full.runs.size());
  text += line;
  std::snprintf(line, sizeof line, "First token: KL(full || POP) = %.2g nats; ", comparison.difference.first_token_kl);
  text += line;
  text += comparison.difference.divergence
              ? "the answers differ from token " + std::to_string(*comparison.difference.divergence) + " on\n"
              : "the answers are the same\n";
  return text;
}

}  // namespace

Result<void> run_compare(const CompareOptions& options) {
  const InterruptWatch interrupt;
  const GenerateOptions& generate = options.generate;
  POPLENS_TRY(prompt, make_request(generate.prompt));
  POPLENS_TRY(open, open_session(generate.common));
  POPLENS_TRY(plan, plan_to_compare(generate.plan, open.model, !prompt.pictures.empty()));

  const GenerateRequest request = {
      .prompt = std::move(prompt),
      .plan = {},
      .sampling = make_sampling(generate.sampling, open.model.prompts->config().generation, generate.common.seed),
      .max_tokens = generate.sampling.max_tokens,
      .stop_strings = generate.sampling.stop_strings};
  const PopPlan plans[] = {PopPlan{}, std::move(plan)};

  ProgressLine progress;
  progress.show("measuring this machine's speed");
  const int64_t chunk_tokens = generate.common.prefill_chunk_tokens;
  POPLENS_TRY(speed, speed_of(open.model, chunk_tokens, interrupt.token()));
  POPLENS_TRY(built, open.model.prompts->build(request.prompt, open.model.encoder.get()));
  const auto predicted = [&](const PopPlan& one) {
    return predicted_ttft_ms(speed, open.model.decoder->spec(), extent_of(built, one.boundary), one);
  };
  const auto on_event = [&](const ComparisonStep&, const Event& event) { progress.show(event); };
  POPLENS_TRY(sides,
              run_comparison(*open.session, request, plans, {.runs = options.runs}, on_event, interrupt.token()));
  progress.clear();
  const Comparison comparison{sides[0], sides[1], difference_of(sides[0], sides[1]), predicted(plans[0]),
                              predicted(plans[1])};
  const std::string key = speed_key(open.model, fingerprint_of(open.model), chunk_tokens);
  for (const ComparedSide& side : sides) {
    keep_learnt(key, open.model.decoder->spec(), {side.answer.computed, side.answer.plan, side.answer.stages});
  }
  const Backend& backend = *open.model.backend;
  POPLENS_CHECK(generate.common.json ? print_json(comparison_report(comparison, backend))
                                     : print_text(comparison_text(comparison, backend)));
  print_warnings(comparison.full.answer.warnings);
  return {};
}

}  // namespace poplens::cli
