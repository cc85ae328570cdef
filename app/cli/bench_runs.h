// The timed part of `bench`: the same prompt at several pruning depths, in turn.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "app/cli/bench_model.h"
#include "app/cli/options.h"

namespace poplens::cli {

// Medians over the runs.
struct DepthFigures {
  int depth = 0;
  double prefill_ms = 0.0;
  double boundary_ms = 0.0;
  double first_token_ms = 0.0;
  double kv_only_ms = 0.0;  // K/V projections of rows that do not run through the layer
  double decode_tokens_per_s = 0.0;
  double speed_up = 1.0;           // median over the runs of full / this, prefill with boundary
  double predicted_ms = 0.0;       // prefill with boundary, from the calibration before the runs
  double predicted_ttft_ms = 0.0;  // with the first token, and the tower where it runs
  double corrected_ttft_ms = 0.0;  // likewise, after what the warming up took
};

struct BenchFigures {
  int64_t tokens = 0;
  std::vector<DepthFigures> depths;  // ascending, 0 first
  std::optional<double> vision_ms;
  double peak_gflops = 0.0;
  double read_bytes_per_s = 0.0;
  double calibration_ms = 0.0;
};

Result<BenchFigures> run_benchmark(BenchModel& model, const BenchOptions& options, const std::stop_token& stop);

}  // namespace poplens::cli
