// The same question answered under several plans, in turn: what comparisons and sweeps of both front ends are made of.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/session/session.h"

namespace poplens {

// Every side answers once to warm up, which gives its text, and is then measured `runs` times to its first token, the
// sides in turn and in the opposite order every second time. The prompt's prefix never comes from a cache.
struct ComparisonOptions {
  int runs = 3;
  // Pictures are encoded once at most, and then come from the session's cache; otherwise they are encoded in every run.
  bool share_features = false;
};

// What runs now.
struct ComparisonStep {
  size_t side = 0;
  int run = -1;      // -1: warming up
  size_t done = 0;   // answers before it
  size_t total = 0;  // of all
};

using ComparisonSink = std::function<void(const ComparisonStep& step, const Event& event)>;

struct ComparedRun {
  double ttft_ms = 0.0;
  StageTimes stages;
  double prefill_ms() const { return stages.prefill_ms + stages.boundary_ms; }
};

// The run in the middle by its TTFT, or the mean of the two in the middle: the stages are those of the TTFT beside
// them, which medians taken stage by stage are not. None: all 0.
ComparedRun middle_run(std::vector<ComparedRun> runs);

struct ComparedSide {
  Answer answer;                  // TTFT and stages of the run in the middle, `computed` of the last; with first_logits
  std::vector<ComparedRun> runs;  // in the order in which they were measured
};

// `request` gives everything but the plan and the use of caches. Stopped: a cancelled error.
Result<std::vector<ComparedSide>> run_comparison(Session& session, const GenerateRequest& request,
                                                 std::span<const PopPlan> plans, const ComparisonOptions& options,
                                                 const ComparisonSink& sink, const std::stop_token& stop);

// How one side differs from the full model's. Ratios are medians over the runs of full / pop.
struct Difference {
  double ttft_ratio = 0.0;
  double prefill_ratio = 0.0;        // boundary included
  std::optional<size_t> divergence;  // index of the first token that differs; nothing: the same answer
  double agreement = 1.0;            // tokens before the divergence, as a share of the longer answer
  double first_token_kl = 0.0;       // KL(full || pop) of the first token's distributions, nats
};

Difference difference_of(const ComparedSide& full, const ComparedSide& pop);

}  // namespace poplens
