// poplens-cli eval: accuracy and answer loss of the full model, of POP and of its ablations, against the depth.
#include <algorithm>
#include <cstdio>
#include <map>

#include <nlohmann/json.hpp>

#include "app/cli/answer_data.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/model_names.h"
#include "app/cli/progress.h"
#include "engine/pop/evaluation/answer_trial.h"
#include "engine/session/figures.h"
#include "vision/picture_encoder.h"

namespace poplens::cli {
namespace {

using nlohmann::ordered_json;

// Free answers may be longer than the known one; one that goes on for ever is wrong long before the context ends.
int64_t most_tokens(const AnswerSample& sample) {
  return 2 * static_cast<int64_t>(sample.answer.size()) + 32;
}

// The samples of one task under one method and depth, summed up.
struct Tally {
  double right = 0.0;
  double loss = 0.0;
  int64_t answer_tokens = 0;
  int64_t agreeing = 0;
  int64_t count = 0;
  std::vector<double> prefill_ms, ttft_ms;
};

struct MethodTallies {
  TrialMethod trial;
  std::map<std::string, Tally> tasks;  // and "all"
};

std::vector<MethodTallies> methods_to_run(const EvalOptions& options) {
  std::vector<MethodTallies> all = {{TrialMethod{EvalMethod::full, 0, options.boundary}, {}}};
  for (const EvalMethod method : options.methods) {
    if (method == EvalMethod::full) continue;
    for (const int depth : options.depths) all.push_back({TrialMethod{method, depth, options.boundary}, {}});
  }
  return all;
}

class Evaluation {
 public:
  Evaluation(const EvalOptions& options, const LoadedModel& model)
      : options_(options),
        model_(model),
        trials_(model.decoder, model.prompts->config().generation.stop_tokens,
                std::min<int64_t>(model.decoder->spec().vocab, model.prompts->tokenizer().vocab_size()),
                options.common.prefill_chunk_tokens),
        methods_(methods_to_run(options)) {}

  Result<void> run(const std::vector<DataItem>& items, const std::stop_token& stop) {
    ProgressLine progress;
    for (size_t i = 0; i < items.size(); ++i) {
      POPLENS_TRY(ready, prepare_sample(model_, items[i], stop));
      std::string full_answer;
      for (MethodTallies& method : methods_) {
        progress.show("sample " + std::to_string(i + 1) + " of " + std::to_string(items.size()) + ", " +
                      name_of(method.trial.method) + " " + std::to_string(method.trial.depth));
        const int64_t max_tokens = options_.loss_only ? 0 : most_tokens(ready.sample);
        POPLENS_TRY(outcome, trials_.run(ready.sample, method.trial, max_tokens, stop));
        const std::string answer = model_.prompts->tokenizer().decode(outcome.answer, /*show_special=*/false);
        if (method.trial.method == EvalMethod::full) full_answer = answer;
        const double right = score_answer(options_.score, answer, items[i].answer);
        for (const std::string& task : tasks_of(items[i])) {
          Tally& tally = method.tasks[task];
          tally.right += right;
          tally.loss += outcome.loss;
          tally.answer_tokens += std::ssize(ready.sample.answer);
          tally.agreeing += answer == full_answer ? 1 : 0;
          tally.count += 1;
          tally.prefill_ms.push_back(outcome.prefill_ms);
          tally.ttft_ms.push_back(ready.vision_ms + outcome.prefill_ms + outcome.first_token_ms);
        }
      }
    }
    progress.clear();
    return {};
  }

  ordered_json rows() const {
    ordered_json rows = ordered_json::array();
    for (const MethodTallies& method : methods_) {
      if (method.trial.method == EvalMethod::full && !asked_for(EvalMethod::full)) continue;
      for (const auto& [task, tally] : method.tasks) rows.push_back(row(method.trial, task, tally));
    }
    return rows;
  }

 private:
  static std::vector<std::string> tasks_of(const DataItem& item) {
    if (item.task.empty() || item.task == "all") return {"all"};
    return {"all", item.task};
  }

  bool asked_for(EvalMethod method) const {
    return std::find(options_.methods.begin(), options_.methods.end(), method) != options_.methods.end();
  }

  ordered_json row(const TrialMethod& trial, const std::string& task, const Tally& tally) const {
    const auto n = static_cast<double>(tally.count);
    const double accuracy = tally.right / n;
    const double of_full = methods_.front().tasks.at(task).right / n;
    const auto answered = [&](double share) {
      return options_.loss_only ? ordered_json(nullptr) : ordered_json(share);
    };
    // What runs as virtual gates costs what the full model does: its time means nothing.
    const bool timed = runs_as_in_use(trial.method);
    const auto time = [&](const std::vector<double>& ms) {
      return timed ? ordered_json(median(ms)) : ordered_json(nullptr);
    };
    return {{"method", name_of(trial.method)},
            {"depth", trial.depth},
            {"boundary", trial.method == EvalMethod::pop_no_boundary ? "none" : to_string(trial.boundary)},
            {"task", task},
            {"accuracy", answered(accuracy)},
            {"loss", tally.loss / n},
            {"loss_per_token", tally.loss / static_cast<double>(tally.answer_tokens)},
            {"retained", of_full > 0.0 ? ordered_json(accuracy / of_full) : ordered_json(nullptr)},
            {"agreement", answered(static_cast<double>(tally.agreeing) / n)},
            {"prefill_ms", time(tally.prefill_ms)},
            {"ttft_ms", time(tally.ttft_ms)},
            {"n", tally.count}};
  }

  const EvalOptions& options_;
  const LoadedModel& model_;
  AnswerTrials trials_;
  std::vector<MethodTallies> methods_;  // the full model first: what the others are compared with
};

std::string eval_text(const ordered_json& rows) {
  std::string text = "method           depth  boundary  task            accuracy  retained  agreement  loss      n\n";
  char line[200];
  for (const ordered_json& row : rows) {
    const auto share = [&](const char* key) {
      if (row[key].is_null()) return std::string("-");
      char rounded[32];
      std::snprintf(rounded, sizeof rounded, "%.3f", row[key].get<double>());
      return std::string(rounded);
    };
    std::snprintf(line, sizeof line, "%-16s %5d  %-8s  %-14s %8.5s  %8.5s  %9.5s  %8.4f  %4d\n",
                  row["method"].get<std::string>().c_str(), row["depth"].get<int>(),
                  row["boundary"].get<std::string>().c_str(), row["task"].get<std::string>().substr(0, 14).c_str(),
                  share("accuracy").c_str(), share("retained").c_str(), share("agreement").c_str(),
                  row["loss"].get<double>(), row["n"].get<int>());
    text += line;
  }
  return text;
}

Result<void> check_depths(const EvalOptions& options, int layer_count) {
  for (const int depth : options.depths) {
    if (depth <= layer_count) continue;
    return Error{"--depths " + std::to_string(depth) + ": the model has " + std::to_string(layer_count) + " layers"};
  }
  return {};
}

}  // namespace

Result<void> run_eval(const EvalOptions& options) {
  const InterruptWatch interrupt;
  POPLENS_TRY(items, read_data_file(options.data, options.samples));
  POPLENS_TRY(folder, find_model(options.common));
  POPLENS_TRY(load, make_load_options(options.common));
  POPLENS_TRY(model, load_model(folder, load, make_image_encoder));
  POPLENS_CHECK(check_depths(options, model.decoder->spec().layer_count()));
  Evaluation evaluation(options, model);
  POPLENS_CHECK(evaluation.run(items, interrupt.token()));
  const ordered_json rows = evaluation.rows();
  if (!options.common.json) return print_text(eval_text(rows));
  return print_json({{"rows", rows},
                     {"samples", items.size()},
                     {"layers", model.decoder->spec().layer_count()},
                     {"dtype", name_of(model.decoder->activations())},
                     {"device", model.backend->description()}});
}

}  // namespace poplens::cli
