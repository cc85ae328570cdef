// poplens-cli bench: prefill, first token and decode at several pruning depths.
#include <cstdio>

#include <nlohmann/json.hpp>

#include "app/cli/bench_runs.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "engine/backend/cpu/cpu_features.h"
#include "engine/pop/cost/prefill_cost.h"

namespace poplens::cli {
namespace {

using nlohmann::ordered_json;

ordered_json rows_report(const BenchModel& model, const BenchFigures& figures) {
  const DecoderSpec& spec = model.config.decoder;
  const auto tokens = static_cast<double>(figures.tokens);
  const DepthFigures& full = figures.depths.front();
  const double full_ms = full.prefill_ms + full.boundary_ms;
  // One row through one layer: its weights read once, in multiply-adds at the rate that the full prefill reached.
  const double macs_per_s = prefill_cost(spec, figures.tokens, 0) * tokens / (full_ms / 1000.0);
  const double row_cost =
      figures.read_bytes_per_s > 0.0 ? layer_bytes(spec) / figures.read_bytes_per_s * macs_per_s : 0.0;

  ordered_json rows = ordered_json::array();
  for (const DepthFigures& depth : figures.depths) {
    const double limit = prefill_limit(spec, figures.tokens, depth.depth, row_cost);
    const double prefill_ms = depth.prefill_ms + depth.boundary_ms;
    rows.push_back({
        {"depth", depth.depth},
        {"prefill_ms", depth.prefill_ms},
        {"ttft_ms", figures.vision_ms.value_or(0.0) + prefill_ms + depth.first_token_ms},
        {"vision_ms", figures.vision_ms ? ordered_json(*figures.vision_ms) : ordered_json(nullptr)},
        {"boundary_ms", depth.boundary_ms},
        {"first_token_ms", depth.first_token_ms},
        {"predicted_prefill_ms", depth.predicted_ms},
        {"predicted_ttft_ms", depth.predicted_ttft_ms},
        {"corrected_ttft_ms", depth.corrected_ttft_ms},
        {"speed_up", depth.speed_up},
        {"limit", limit},
        {"share_of_limit", depth.speed_up / limit},
        {"decode_tokens_per_s", depth.decode_tokens_per_s},
        {"prefill_tokens_per_s", tokens / prefill_ms * 1000.0},
        {"kv_projection_share", depth.kv_only_ms / full_ms},
    });
  }
  return rows;
}

ordered_json bench_report(const BenchOptions& options, const BenchModel& model, const BenchFigures& figures) {
  const DecoderSpec& spec = model.config.decoder;
  const DepthFigures& full = figures.depths.front();
  constexpr double kFlopsPerMac = 2.0;
  const double prefill_gflops = kFlopsPerMac * prefill_cost(spec, figures.tokens, 0) *
                                static_cast<double>(figures.tokens) / (full.prefill_ms + full.boundary_ms) / 1e6;
  return {
      {"model", model.name},
      {"family", model.config.family},
      {"layers", spec.layer_count()},
      {"published_layers", model.published_layers},
      {"layers_cut", spec.layer_count() != model.published_layers},
      {"image_tokens", options.image_tokens},
      {"prompt_tokens", options.prompt_tokens},
      {"tokens", figures.tokens},
      {"boundary", to_string(options.plan.boundary)},
      {"runs", options.runs},
      {"rows", rows_report(model, figures)},
      {"device", model.backend->description()},
      {"threads", options.common.threads > 0 ? options.common.threads : cpu::usable_cores()},
      {"dtype", name_of(model.decoder->activations())},
      {"peak_gflops", figures.peak_gflops},
      {"prefill_gflops", prefill_gflops},
      {"share_of_peak", figures.peak_gflops > 0.0 ? prefill_gflops / figures.peak_gflops : 0.0},
      {"read_bytes_per_s", figures.read_bytes_per_s},
      {"calibration_ms", figures.calibration_ms},
  };
}

std::string bench_text(const ordered_json& report) {
  char line[200];
  std::string text = report["model"].get<std::string>() + ", " + report["layers"].dump() + " of " +
                     report["published_layers"].dump() + " layers, " + report["tokens"].dump() + " tokens (" +
                     report["image_tokens"].dump() + " picture), boundary " + report["boundary"].get<std::string>() +
                     "\n" + report["device"].get<std::string>() + "\n\n";
  text += "depth   prefill  boundary    vision      TTFT  speed-up  limit  share  decode/s  K/V share\n";
  for (const ordered_json& row : report["rows"]) {
    const auto number = [&](const char* key) { return row[key].is_null() ? 0.0 : row[key].get<double>(); };
    std::snprintf(line, sizeof line, "%5d %6.0f ms %6.0f ms %6.0f ms %6.0f ms %9.3f %6.3f %5.1f%% %9.2f %9.1f%%\n",
                  row["depth"].get<int>(), number("prefill_ms"), number("boundary_ms"), number("vision_ms"),
                  number("ttft_ms"), number("speed_up"), number("limit"), 100.0 * number("share_of_limit"),
                  number("decode_tokens_per_s"), 100.0 * number("kv_projection_share"));
    text += line;
  }
  std::snprintf(line, sizeof line, "\nfull prefill %.1f GFLOP/s, %.0f %% of the measured peak of %.1f\n",
                report["prefill_gflops"].get<double>(), 100.0 * report["share_of_peak"].get<double>(),
                report["peak_gflops"].get<double>());
  return text + line;
}

}  // namespace

Result<void> run_bench(const BenchOptions& options) {
  const InterruptWatch interrupt;
  POPLENS_TRY(model, open_bench_model(options));
  POPLENS_TRY(figures, run_benchmark(model, options, interrupt.token()));
  const ordered_json report = bench_report(options, model, figures);
  return options.common.json ? print_json(report) : print_text(bench_text(report));
}

}  // namespace poplens::cli
