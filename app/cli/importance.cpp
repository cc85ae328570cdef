// poplens-cli importance: what each layer's updates are worth to the answer, in the prefill and in the decode.
#include <cstdio>

#include <nlohmann/json.hpp>

#include "app/cli/answer_data.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/model_names.h"
#include "app/cli/progress.h"
#include "engine/base/memory_map.h"
#include "engine/base/write_file.h"
#include "engine/pop/importance/importance_state.h"
#include "engine/pop/importance/suffix_rises.h"
#include "engine/session/fingerprint.h"
#include "engine/session/memory_need.h"
#include "engine/tokenizer/sha256.h"
#include "vision/picture_encoder.h"

namespace poplens::cli {
namespace {

using nlohmann::ordered_json;

std::string count_of(int64_t done, int64_t total) {
  return std::to_string(done) + " of " + std::to_string(total);
}

class Measurement {
 public:
  Measurement(const ImportanceOptions& options, const LoadedModel& model, ImportanceState state,
              std::filesystem::path state_file)
      : options_(options),
        model_(model),
        state_(std::move(state)),
        state_file_(std::move(state_file)),
        runner_(model.decoder),
        pass_(runner_) {}

  // Every sample that is done is kept in the state file.
  Result<void> run(const std::vector<DataItem>& items, const std::stop_token& stop) {
    const int64_t total = state_.job.samples;
    while (state_.sums.samples() < total) {
      const int64_t index = state_.sums.samples();
      const auto item = static_cast<size_t>(index * std::ssize(items) / total);
      if (auto added = add_sample(items[item], index, stop); !added.ok()) {
        progress_.clear();
        return told(added.error(), index, static_cast<int64_t>(item) + 1);
      }
      POPLENS_CHECK(save_state(state_file_, state_));
    }
    progress_.clear();
    return {};
  }

  ImportanceProfile profile() const { return state_.sums.profile(state_.job.model, state_.job.labels); }

 private:
  Error told(const Error& error, int64_t done, int64_t item) const {
    if (!error.cancelled) {
      return Error{options_.data + ": sample " + std::to_string(item) + ": " + error.message};
    }
    const std::string where = done == 0 ? "" : "; the same command goes on from there (" + state_file_.string() + ")";
    return Error{"stopped after " + count_of(done, state_.job.samples) + " samples" + where, /*cancelled=*/true};
  }

  Result<void> add_sample(const DataItem& item, int64_t index, const std::stop_token& stop) {
    const std::string label = "sample " + count_of(index + 1, state_.job.samples);
    progress_.show(label);
    POPLENS_TRY(ready, prepare_sample(model_, item, stop));
    AnswerSample& sample = ready.sample;
    POPLENS_CHECK(check_size(sample));
    if (state_.job.labels == "model") {
      POPLENS_TRY(drawn, runner_.draw(sample, std::ssize(sample.answer), seed_of(index), stop));
      sample.answer = std::move(drawn);
    }
    const AnswerSequence sequence(sample, model_.decoder->spec().image_attends_both_ways);
    const auto show = [&](const char* what) {
      return [this, label, what](int64_t done, int64_t total) {
        progress_.show(label + ", " + what + " " + count_of(done, total));
      };
    };
    POPLENS_TRY(gradients, pass_.run(sequence, show("layer"), stop));
    POPLENS_TRY(suffixes, measure_suffix_rises(runner_, pass_, sequence, gradients.loss, show("depth"), stop));
    ImportanceSums sums = state_.sums;
    sums.add(gradients, std::ssize(sample.answer));
    sums.add(suffixes, Closed::suffix);
    if (state_.job.ablation) {
      for (const Closed closed : {Closed::one_layer, Closed::suffix}) {
        const char* what = closed == Closed::suffix ? "decode depth" : "gate";
        POPLENS_TRY(rises, measure_ablation(runner_, sequence, closed, show(what), stop));
        sums.add(rises, closed);
      }
    }
    state_.sums = std::move(sums);
    return {};
  }

  Result<void> check_size(const AnswerSample& sample) {
    if (sample.answer.empty()) return Error{"the answer has no token"};
    const int64_t tokens = sample.prompt.tokens() + std::ssize(sample.answer);
    const int64_t context = model_.decoder->spec().context;
    if (tokens > context) {
      return Error{"prompt and answer have " + std::to_string(tokens) + " tokens, more than the model's context of " +
                   std::to_string(context)};
    }
    if (tokens <= largest_tokens_) return {};
    const int64_t bytes =
        runner_.workspace_bytes(tokens) + GateGradientPass::workspace_bytes(model_.decoder->spec(), tokens);
    POPLENS_CHECK(check_memory(std::to_string(tokens) + " tokens there and back", bytes, available_memory_bytes()));
    largest_tokens_ = tokens;
    return {};
  }

  uint64_t seed_of(int64_t index) const {
    return state_.job.seed + 0x9e3779b97f4a7c15ULL * static_cast<uint64_t>(index + 1);
  }

  const ImportanceOptions& options_;
  const LoadedModel& model_;
  ImportanceState state_;
  std::filesystem::path state_file_;
  AnswerRunner runner_;
  GateGradientPass pass_;
  ProgressLine progress_;
  int64_t largest_tokens_ = 0;
};

Result<ImportanceJob> make_job(const ImportanceOptions& options, const LoadedModel& model, int64_t items) {
  POPLENS_TRY(data, MemoryMap::open(options.data));
  const auto bytes = data.bytes();
  return ImportanceJob{.model = fingerprint_of(model),
                       .data = sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()}),
                       .samples = options.samples == 0 ? items : std::min(options.samples, items),
                       .labels = options.labels,
                       .seed = options.common.seed,
                       .ablation = options.ablation};
}

// What an interrupted run left, or a new beginning.
Result<ImportanceState> first_state(const ImportanceJob& job, const std::filesystem::path& state_file) {
  std::error_code status;
  if (std::filesystem::exists(state_file, status)) return load_state(state_file, job);
  return ImportanceState{job, ImportanceSums(static_cast<int>(job.model.layers))};
}

std::string profile_text(const ImportanceProfile& profile, const std::string& out) {
  std::string text = out + ": " + std::to_string(profile.samples) + " samples, " +
                     std::to_string(profile.answer_tokens) + " answer tokens, loss " + std::to_string(profile.loss) +
                     " nats an answer\n\n                 boundary last             boundary text\n"
                     "layer       prefill      decode      prefill      decode\n";
  for (size_t i = 0; i < static_cast<size_t>(profile.model.layers); ++i) {
    const auto of = [&](GateStage stage) { return profile.stage(stage).layers[i].importance(); };
    char line[96];
    std::snprintf(line, sizeof line, "%5zu  %12.4f%12.4f %12.4f%12.4f\n", i, of(GateStage::prefill),
                  of(GateStage::decode), of(GateStage::prefill_text), of(GateStage::decode_text));
    text += line;
  }
  for (const GateStage stage : kAllGateStages) {
    const auto correlation = profile.stage(stage).rank_correlation();
    if (!correlation) continue;
    char line[96];
    std::snprintf(line, sizeof line, "rank correlation with measured ablation, %s: %.3f\n", name_of(stage),
                  *correlation);
    text += line;
  }
  return text;
}

}  // namespace

Result<void> run_importance(const ImportanceOptions& options) {
  const InterruptWatch interrupt;
  POPLENS_CHECK(file_to_write(options.out));
  std::error_code missing;
  if (std::filesystem::equivalent(options.out, options.data, missing)) {
    return Error{options.out + ": --out would take the place of the questions"};
  }
  POPLENS_TRY(items, read_data_file(options.data));
  POPLENS_TRY(folder, find_model(options.common));
  POPLENS_TRY(load, make_load_options(options.common));
  load.activations = DType::f32;
  POPLENS_TRY(model, load_model(folder, load, make_image_encoder));
  POPLENS_TRY(job, make_job(options, model, std::ssize(items)));
  const std::filesystem::path state_file = options.out + ".partial";
  POPLENS_TRY(state, first_state(job, state_file));
  const int64_t taken_over = state.sums.samples();

  Measurement measurement(options, model, std::move(state), state_file);
  POPLENS_CHECK(measurement.run(items, interrupt.token()));
  const ImportanceProfile profile = measurement.profile();
  ordered_json document = to_json(profile);
  POPLENS_CHECK(write_file(options.out, document.dump(1) + "\n"));
  std::error_code ignored;
  std::filesystem::remove(state_file, ignored);
  if (!options.common.json) return print_text(profile_text(profile, options.out));
  document["resumed_samples"] = taken_over;
  document["device"] = model.backend->description();
  return print_json(document);
}

}  // namespace poplens::cli
