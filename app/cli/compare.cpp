// poplens-cli compare: the same question answered by the full model and under a plan, in turn.
#include <algorithm>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/figures.h"
#include "app/cli/interrupt.h"
#include "app/cli/open_session.h"
#include "app/cli/progress.h"
#include "app/cli/reports.h"
#include "app/cli/request.h"

namespace poplens::cli {
namespace {

using nlohmann::ordered_json;

struct RunTimes {
  double ttft_ms = 0.0;
  StageTimes stages;
  double prefill_ms() const { return stages.prefill_ms + stages.boundary_ms; }
};

// One of the two ways to answer. Its `answer` carries the medians of its runs once they are all done.
struct Side {
  GenerateRequest request;
  Answer answer;
  std::vector<RunTimes> runs;

  template <typename Part>
  double median_of(Part part) const {
    std::vector<double> values;
    for (const RunTimes& run : runs) values.push_back(part(run));
    return median(std::move(values));
  }
};

struct Comparison {
  Side full, pop;
  double ttft_ratio = 0.0;
  double prefill_ratio = 0.0;
  std::optional<size_t> divergence;
  double first_token_kl = 0.0;
};

// A third of the layers, where the command line names no plan.
Result<PopPlan> plan_to_compare(const PlanOptions& options, int layers) {
  PlanOptions plan = options;
  if (!plan.given()) plan.depth = layers / 3;
  return make_plan(plan, layers);
}

// The warm-up gives the whole answer. Measured runs end with their first token: what they measure is over then, and the
// text would be the same.
Result<void> run_side(Side& side, Session& session, bool warm_up, ProgressLine& progress, const std::stop_token& stop) {
  GenerateRequest request = side.request;
  request.keep_first_logits = warm_up;
  if (!warm_up) request.max_tokens = 1;
  const auto on_event = [&](const Event& event) { progress.show(event); };
  POPLENS_TRY(answer, session.generate(request, on_event, stop));
  if (answer.finish_reason == FinishReason::cancelled) return Error{"stopped", /*cancelled=*/true};
  if (warm_up) {
    side.answer = std::move(answer);
  } else {
    side.runs.push_back({answer.ttft_ms, answer.stages});
  }
  return {};
}

void take_medians(Side& side) {
  const auto stage = [&](double StageTimes::*member) {
    return side.median_of([&](const RunTimes& run) { return run.stages.*member; });
  };
  side.answer.ttft_ms = side.median_of([](const RunTimes& run) { return run.ttft_ms; });
  side.answer.stages = {.image_decode_ms = stage(&StageTimes::image_decode_ms),
                        .preprocess_ms = stage(&StageTimes::preprocess_ms),
                        .vision_ms = stage(&StageTimes::vision_ms),
                        .prefill_ms = stage(&StageTimes::prefill_ms),
                        .boundary_ms = stage(&StageTimes::boundary_ms),
                        .first_token_ms = stage(&StageTimes::first_token_ms)};
}

void summarise(Comparison& comparison) {
  std::vector<double> ttft_ratios;
  std::vector<double> prefill_ratios;
  for (size_t i = 0; i < comparison.full.runs.size(); ++i) {
    const RunTimes& full = comparison.full.runs[i];
    const RunTimes& pop = comparison.pop.runs[i];
    ttft_ratios.push_back(full.ttft_ms / pop.ttft_ms);
    prefill_ratios.push_back(full.prefill_ms() / pop.prefill_ms());
  }
  comparison.ttft_ratio = median(std::move(ttft_ratios));
  comparison.prefill_ratio = median(std::move(prefill_ratios));
  for (Side* side : {&comparison.full, &comparison.pop}) take_medians(*side);
  const Answer& full = comparison.full.answer;
  const Answer& pop = comparison.pop.answer;
  comparison.divergence = first_divergence(full.tokens, pop.tokens);
  comparison.first_token_kl = kl_divergence(full.first_logits, pop.first_logits);
}

ordered_json run_report(const RunTimes& run) {
  return {{"ttft_ms", run.ttft_ms}, {"stages_ms", stages_report(run.stages)}};
}

ordered_json comparison_report(const Comparison& comparison, const Backend& backend) {
  ordered_json runs = ordered_json::array();
  for (size_t i = 0; i < comparison.full.runs.size(); ++i) {
    runs.push_back({{"order", i % 2 == 0 ? ordered_json{"full", "pop"} : ordered_json{"pop", "full"}},
                    {"full", run_report(comparison.full.runs[i])},
                    {"pop", run_report(comparison.pop.runs[i])}});
  }
  ordered_json report = {{"full", answer_report(comparison.full.answer, backend)},
                         {"pop", answer_report(comparison.pop.answer, backend)},
                         {"ttft_ratio", comparison.ttft_ratio},
                         {"prefill_ratio", comparison.prefill_ratio},
                         {"first_divergence", nullptr},
                         {"first_token_kl", comparison.first_token_kl},
                         {"runs", std::move(runs)}};
  if (comparison.divergence) report["first_divergence"] = *comparison.divergence;
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

  char line[160];
  std::snprintf(line, sizeof line, "\nTTFT ratio %.2f, prefill ratio %.2f (medians of %zu runs, full / POP)\n",
                comparison.ttft_ratio, comparison.prefill_ratio, comparison.full.runs.size());
  text += line;
  std::snprintf(line, sizeof line, "First token: KL(full || POP) = %.2g nats; ", comparison.first_token_kl);
  text += line;
  text += comparison.divergence ? "the answers differ from token " + std::to_string(*comparison.divergence) + " on\n"
                                : "the answers are the same\n";
  return text;
}

}  // namespace

Result<void> run_compare(const CompareOptions& options) {
  const InterruptWatch interrupt;
  const GenerateOptions& generate = options.generate;
  POPLENS_TRY(prompt, make_request(generate.prompt));
  POPLENS_TRY(open, open_session(generate.common));
  POPLENS_TRY(plan, plan_to_compare(generate.plan, open.model.decoder->spec().layer_count()));

  Comparison comparison;
  comparison.full.request = {
      .prompt = std::move(prompt),
      .plan = {},
      .sampling = make_sampling(generate.sampling, open.model.prompts->config().generation, generate.common.seed),
      .max_tokens = generate.sampling.max_tokens,
      .stop_strings = generate.sampling.stop_strings,
      .reuse_cache = false};
  comparison.pop.request = comparison.full.request;
  comparison.pop.request.plan = std::move(plan);

  ProgressLine progress;
  for (int run = -1; run < options.runs; ++run) {
    Side* order[] = {&comparison.full, &comparison.pop};
    if (run % 2 == 1) std::swap(order[0], order[1]);
    for (Side* side : order) {
      POPLENS_CHECK(run_side(*side, *open.session, /*warm_up=*/run < 0, progress, interrupt.token()));
    }
  }
  progress.clear();
  summarise(comparison);
  const Backend& backend = *open.model.backend;
  POPLENS_CHECK(generate.common.json ? print_json(comparison_report(comparison, backend))
                                     : print_text(comparison_text(comparison, backend)));
  print_warnings(comparison.full.answer.warnings);
  return {};
}

}  // namespace poplens::cli
