#include "app/cli/bench_runs.h"

#include <algorithm>
#include <random>

#include "app/cli/machine_rates.h"
#include "app/cli/progress.h"
#include "engine/base/clock.h"
#include "engine/pop/cost/measured_speed.h"
#include "engine/session/figures.h"
#include "engine/session/prefill.h"

namespace poplens::cli {
namespace {

// rows x cols = tokens, as near to a square as the divisors allow.
PictureGeometry near_square(int tokens) {
  int rows = 1;
  for (int side = 2; side * side <= tokens; ++side) {
    if (tokens % side == 0) rows = side;
  }
  return {.grid_rows = rows, .grid_cols = tokens / rows};
}

// One picture, then random text.
Prompt make_prompt(const ModelConfig& config, const BenchOptions& options, std::mt19937& random) {
  Prompt prompt;
  if (options.image_tokens > 0) {
    append_picture(prompt, near_square(options.image_tokens), config.image_tokens->pad,
                   config.decoder.image_positions_2d);
  }
  std::uniform_int_distribution<int32_t> any_token(0, static_cast<int32_t>(config.decoder.vocab - 1));
  std::vector<int32_t> text(static_cast<size_t>(options.prompt_tokens));
  for (int32_t& id : text) id = any_token(random);
  append_text(prompt, text);
  return prompt;
}

Result<PictureFeatures> random_features(const DecoderSpec& spec, int64_t tokens, Backend& backend,
                                        std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<size_t>(tokens * spec.hidden));
  for (float& value : values) value = normal(random);
  PictureFeatures features;
  POPLENS_TRY(main, allocate_array(backend, DType::f32, tokens, spec.hidden));
  backend.write(values, main.view());
  features.main = std::move(main);
  for (int i = 0; i < spec.deepstack_layers; ++i) {
    POPLENS_TRY(feature, allocate_array(backend, DType::f32, tokens, spec.hidden));
    backend.write(values, feature.view());
    features.deepstack.push_back(std::move(feature));
  }
  return features;
}

struct DepthRun {
  double prefill_ms = 0.0;
  double boundary_ms = 0.0;
  double first_token_ms = 0.0;
  double kv_only_ms = 0.0;
  double decode_tokens_per_s = 0.0;
};

class Benchmark {
 public:
  Benchmark(BenchModel& model, const BenchOptions& options, const std::stop_token& stop)
      : model_(model), options_(options), stop_(stop), random_(options.common.seed) {}

  Result<BenchFigures> run() {
    POPLENS_CHECK(prepare());
    progress_.show(model_.name + ", calibrating the prediction");
    const auto start = Clock::now();
    POPLENS_TRY(speed, measure_speed(*model_.decoder, model_.tower ? squares() : std::optional<SquarePictures>(),
                                     options_.common.prefill_chunk_tokens, stop_));
    calibration_ms_ = ms_since(start);
    speed_ = std::move(speed);
    learnt_ = speed_;
    for (int run = -1; run < options_.runs; ++run) {
      const bool measured = run >= 0;
      if (measured) {
        const MachineRates rates = measure_machine(model_.decoder->activations(), options_.common.threads);
        peaks_.push_back(rates.peak_gflops);
        bandwidths_.push_back(rates.read_bytes_per_s);
      }
      POPLENS_CHECK(run_vision(measured));
      std::vector<size_t> order(plans_.size());
      for (size_t i = 0; i < order.size(); ++i) order[i] = run % 2 == 0 ? i : order.size() - 1 - i;
      for (const size_t i : order) {
        progress_.show(model_.name + (measured ? ", run " + std::to_string(run + 1) : ", warming up") + ", depth " +
                       std::to_string(plans_[i].layers.size()));
        POPLENS_TRY(times, run_depth(plans_[i]));
        if (measured) {
          runs_[i].push_back(times);
        } else {
          learn(learnt_, model_.config.decoder,
                {.extent = extent_of(prompt_, plans_[i].boundary),
                 .plan = plans_[i],
                 .stages = {.prefill_ms = times.prefill_ms, .boundary_ms = times.boundary_ms}});
        }
      }
    }
    progress_.clear();
    return summarise();
  }

 private:
  Result<void> prepare() {
    const DecoderSpec& spec = model_.config.decoder;
    std::vector<int> depths = options_.depths;
    if (depths.empty()) depths = {spec.layer_count() / 3, spec.layer_count() / 2};
    depths.push_back(0);
    std::sort(depths.begin(), depths.end());
    depths.erase(std::unique(depths.begin(), depths.end()), depths.end());
    for (const int depth : depths) {
      PlanOptions options = options_.plan;
      options.depth = depth;
      POPLENS_TRY(plan, make_plan(options, spec.layer_count()));
      plans_.push_back(std::move(plan));
    }
    runs_.resize(plans_.size());
    prompt_ = make_prompt(model_.config, options_, random_);
    if (options_.image_tokens > 0) {
      POPLENS_TRY(features, random_features(spec, options_.image_tokens, *model_.backend, random_));
      features_.emplace_back(std::move(features));
    }
    return cache_.reserve(*model_.decoder, prompt_.tokens() + options_.decode_tokens, 0);
  }

  // The tower on random pixels.
  Result<PictureFeatures> see(int grid_rows, int grid_cols, const SquarePictures::OnBlock& on_block,
                              const std::stop_token& stop) {
    const int merge = model_.tower->spec().merge_size, blocks = model_.tower->spec().depth;
    std::uniform_real_distribution<float> pixel(-1.0F, 1.0F);
    const auto read_patches = [&](int64_t, int64_t, std::span<float> out) {
      for (float& value : out) value = pixel(random_);
    };
    const auto before_block = [&](int block, ConstMatrix) {
      if (on_block) on_block(block, blocks);
    };
    return model_.tower->run(read_patches, grid_rows * merge, grid_cols * merge, before_block, stop);
  }

  SquarePictures squares() {
    const int token_side = model_.tower->spec().patch_size * model_.tower->spec().merge_size;
    return {
        .soft_tokens = [=](int side) -> Result<int64_t> { return int64_t{side / token_side} * (side / token_side); },
        .encode = [=, this](int side, const SquarePictures::OnBlock& on_block,
                            const std::stop_token& stop) -> Result<void> {
          POPLENS_CHECK(see(side / token_side, side / token_side, on_block, stop));
          return {};
        },
        .attention_ms = [this](int64_t rows, int64_t tokens) { return model_.tower->attention_ms(rows, tokens); }};
  }

  // The decoder is then fed what the tower made of the picture.
  Result<void> run_vision(bool measured) {
    if (!model_.tower) return {};
    const PictureGeometry& geometry = prompt_.pictures.front().geometry;
    progress_.show(model_.name + ", vision tower");
    const auto start = Clock::now();
    POPLENS_TRY(features, see(geometry.grid_rows, geometry.grid_cols, {}, stop_));
    if (measured) {
      vision_ms_.push_back(ms_since(start));
    } else {
      learn(learnt_, model_.config.decoder,
            {.extent = {.picture_tokens = {geometry.soft_tokens()}},
             .plan = {},
             .stages = {.vision_ms = ms_since(start)}});
    }
    features.deepstack.resize(
        std::min(features.deepstack.size(), static_cast<size_t>(model_.config.decoder.deepstack_layers)));
    features_.front() = std::move(features);
    return {};
  }

  Result<DepthRun> run_depth(const PopPlan& plan) {
    Decoder& decoder = *model_.decoder;
    POPLENS_TRY(outcome, run_prefill(decoder, cache_,
                                     {.prompt = prompt_,
                                      .plan = plan,
                                      .outputs_from = prompt_.tokens() - 1,
                                      .chunk_tokens = options_.common.prefill_chunk_tokens,
                                      .features = features_,
                                      .stop = stop_}));
    DepthRun times{
        .prefill_ms = outcome.prefill_ms, .boundary_ms = outcome.boundary_ms, .kv_only_ms = outcome.trace.kv_only_ms};
    std::vector<float> logits(static_cast<size_t>(decoder.spec().vocab));
    const auto likeliest = [&] {
      return static_cast<int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    };
    auto start = Clock::now();
    decoder.logits(outcome.last_row, 1, logits);
    int32_t id = likeliest();
    times.first_token_ms = ms_since(start);

    start = Clock::now();
    PrefillTrace trace;
    for (int step = 0; step < options_.decode_tokens; ++step) {
      const int32_t at = prompt_.next_position + step;
      const RopePosition position{at, at, at};
      const DecoderChunk chunk{.ids = {&id, 1}, .first_position = prompt_.tokens() + step, .positions = {&position, 1}};
      POPLENS_CHECK(decoder.forward(chunk, PrefillRows{}, cache_.layers(), trace, {}, stop_));
      decoder.logits(0, 1, logits);
      id = likeliest();
    }
    times.decode_tokens_per_s = options_.decode_tokens / ms_since(start) * 1000.0;
    return times;
  }

  BenchFigures summarise() const {
    BenchFigures figures{.tokens = prompt_.tokens(),
                         .peak_gflops = median(peaks_),
                         .read_bytes_per_s = median(bandwidths_),
                         .calibration_ms = calibration_ms_};
    if (!vision_ms_.empty()) figures.vision_ms = median(vision_ms_);
    for (size_t i = 0; i < plans_.size(); ++i) {
      const auto median_of = [&](auto part) {
        std::vector<double> values;
        for (size_t run = 0; run < runs_[i].size(); ++run) values.push_back(part(runs_[i][run], runs_[0][run]));
        return median(std::move(values));
      };
      const auto prefill = [](const DepthRun& run) { return run.prefill_ms + run.boundary_ms; };
      const DecoderSpec& spec = model_.config.decoder;
      const PromptExtent extent = extent_of(prompt_, plans_[i].boundary);
      figures.depths.push_back(
          {.depth = static_cast<int>(plans_[i].layers.size()),
           .prefill_ms = median_of([](const DepthRun& run, const DepthRun&) { return run.prefill_ms; }),
           .boundary_ms = median_of([](const DepthRun& run, const DepthRun&) { return run.boundary_ms; }),
           .first_token_ms = median_of([](const DepthRun& run, const DepthRun&) { return run.first_token_ms; }),
           .kv_only_ms = median_of([](const DepthRun& run, const DepthRun&) { return run.kv_only_ms; }),
           .decode_tokens_per_s =
               median_of([](const DepthRun& run, const DepthRun&) { return run.decode_tokens_per_s; }),
           .speed_up =
               median_of([&](const DepthRun& run, const DepthRun& full) { return prefill(full) / prefill(run); }),
           .predicted_ms = predicted_prefill_ms(speed_.prefill, spec, extent, plans_[i]),
           .predicted_ttft_ms = predicted_ttft_ms(speed_, spec, extent, plans_[i]),
           .corrected_ttft_ms = predicted_ttft_ms(learnt_, spec, extent, plans_[i])});
    }
    return figures;
  }

  BenchModel& model_;
  const BenchOptions& options_;
  std::stop_token stop_;
  std::mt19937 random_;
  ProgressLine progress_;
  Prompt prompt_;
  KvCache cache_;
  std::vector<PopPlan> plans_;  // the empty one first
  std::vector<std::optional<PictureFeatures>> features_;
  std::vector<std::vector<DepthRun>> runs_;  // [plans, runs]
  MeasuredSpeed speed_;                      // before the runs
  MeasuredSpeed learnt_;                     // after the warming up
  double calibration_ms_ = 0.0;
  std::vector<double> vision_ms_, peaks_, bandwidths_;
};

}  // namespace

Result<BenchFigures> run_benchmark(BenchModel& model, const BenchOptions& options, const std::stop_token& stop) {
  return Benchmark(model, options, stop).run();
}

}  // namespace poplens::cli
