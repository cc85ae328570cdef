#include "ui/engine/importance_job.h"

#include <QDir>
#include <QFileInfo>
#include <nlohmann/json.hpp>

#include "engine/base/write_file.h"
#include "engine/pop/importance/importance_sums.h"
#include "engine/pop/importance/suffix_rises.h"
#include "engine/session/fingerprint.h"
#include "engine/session/memory_need.h"
#include "ui/engine/engine_room.h"

namespace poplens::ui {
namespace {

// Prompts and answers of the conversation, in order.
struct Exchange {
  QList<Turn> prompt;
  std::string answer;
};

QList<Exchange> exchanges_of(const QList<Turn>& turns) {
  QList<Exchange> exchanges;
  for (qsizetype i = 1; i < turns.size(); ++i) {
    if (turns[i].role == "assistant" && !turns[i].text.isEmpty()) {
      exchanges.append({turns.first(i), turns[i].text.toStdString()});
    }
  }
  return exchanges;
}

Result<AnswerSample> sample_of(EngineRoom& room, const Exchange& exchange, const std::stop_token& stop) {
  const LoadedModel& model = room.model();
  POPLENS_TRY(request, room.prompt_for(exchange.prompt));
  POPLENS_TRY(prompt, model.prompts->build(request, model.encoder.get()));
  AnswerSample sample{.prompt = std::move(prompt)};
  const EncodeProgress silent{
      .started = [](Stage) {}, .finished = [](Stage, double) {}, .progress = [](Stage, int64_t, int64_t) {}};
  for (const PromptPicture& picture : sample.prompt.pictures) {
    POPLENS_TRY(features, model.encoder->encode(picture.picture, silent, stop));
    sample.features.emplace_back(std::move(features));
  }
  sample.answer = model.prompts->tokenizer().encode(exchange.answer, Tokenizer::Special::text);
  const int64_t tokens = sample.prompt.tokens() + std::ssize(sample.answer);
  if (sample.answer.empty() || tokens > model.prompts->config().decoder.context) {
    return Error{"an answer of this conversation does not fit the model's context with its question"};
  }
  return sample;
}

Result<void> keep(const ImportanceProfile& profile, const QString& path) {
  QDir().mkpath(QFileInfo(path).absolutePath());
  return write_file(path.toStdString(), to_json(profile).dump(1) + "\n");
}

}  // namespace

Result<ImportanceProfile> measure_importances(EngineRoom& room, const ImportanceJob& job,
                                              const std::function<void(qint64 done, qint64 total)>& progress,
                                              const std::stop_token& stop) {
  POPLENS_CHECK(room.load(job.model));
  const LoadedModel& model = room.model();
  const DecoderSpec& spec = model.decoder->spec();
  const QList<Exchange> exchanges = exchanges_of(job.turns);
  if (exchanges.isEmpty()) return Error{"this conversation has no answer yet to measure on"};

  AnswerRunner runner(
      std::make_shared<Decoder>(spec, DecoderWeights(model.decoder->weights()), model.backend, DType::f32));
  GateGradientPass pass(runner);
  ImportanceSums sums(spec.layer_count());
  for (qsizetype i = 0; i < exchanges.size(); ++i) {
    POPLENS_TRY(sample, sample_of(room, exchanges[i], stop));
    const AnswerSequence sequence(sample, spec.image_attends_both_ways);
    const int64_t bytes =
        runner.workspace_bytes(sequence.tokens()) + GateGradientPass::workspace_bytes(spec, sequence.tokens());
    POPLENS_CHECK(
        check_memory("measuring " + std::to_string(sequence.tokens()) + " tokens", bytes, available_memory_bytes()));
    // Both halves take about as long.
    const auto tell = [&](qint64 half) {
      return [&progress, &exchanges, i, half](int64_t done, int64_t total) {
        progress((2 * i + half) * total + done, 2 * exchanges.size() * total);
      };
    };
    POPLENS_TRY(gradients, pass.run(sequence, tell(0), stop));
    POPLENS_TRY(rises, measure_suffix_rises(runner, pass, sequence, gradients.loss, tell(1), stop));
    sums.add(gradients, std::ssize(sample.answer));
    sums.add(rises, Closed::suffix);
  }
  ImportanceProfile profile = sums.profile(fingerprint_of(model), "data");
  POPLENS_CHECK(keep(profile, job.profile_path));
  return profile;
}

}  // namespace poplens::ui
