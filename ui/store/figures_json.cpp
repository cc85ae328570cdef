#include "ui/store/figures_json.h"

#include <QJsonDocument>

namespace poplens::ui {
namespace {

QString compact(const QJsonObject& object) {
  return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

StageTimes stages_from(const QJsonObject& json) {
  StageTimes stages;
  for (const NamedStageTime& stage : kStageTimes) stages.*stage.ms = json[QLatin1String(stage.name)].toDouble();
  return stages;
}

}  // namespace

QJsonObject stages_json(const StageTimes& stages) {
  QJsonObject json;
  for (const NamedStageTime& stage : kStageTimes) json[QLatin1String(stage.name)] = stages.*stage.ms;
  return json;
}

QString to_json(const AnswerFigures& figures) {
  return compact({{"ttft_ms", figures.ttftMs},
                  {"wait_ms", figures.waitMs},
                  {"stages_ms", stages_json(figures.stages)},
                  {"ahead_tokens", figures.aheadTokens},
                  {"ahead_ms", stages_json(figures.ahead)},
                  {"prompt_tokens", figures.promptTokens},
                  {"image_tokens", figures.imageTokens},
                  {"reused_tokens", figures.reusedTokens},
                  {"reused_pictures", figures.reusedPictures},
                  {"answer_tokens", figures.answerTokens},
                  {"decode_tokens_per_s", figures.tokensPerSecond},
                  {"pruned_layers", figures.prunedLayers},
                  {"layers", figures.layers},
                  {"boundary", figures.boundary},
                  {"finish_reason", figures.finish},
                  {"model", figures.model},
                  {"device", figures.device}});
}

AnswerFigures figures_from_json(const QString& text) {
  const QJsonObject json = QJsonDocument::fromJson(text.toUtf8()).object();
  return {.ttftMs = json["ttft_ms"].toDouble(),
          .waitMs = json["wait_ms"].toDouble(),
          .stages = stages_from(json["stages_ms"].toObject()),
          .ahead = stages_from(json["ahead_ms"].toObject()),
          .aheadTokens = json["ahead_tokens"].toInt(),
          .promptTokens = json["prompt_tokens"].toInt(),
          .imageTokens = json["image_tokens"].toInt(),
          .reusedTokens = json["reused_tokens"].toInt(),
          .reusedPictures = json["reused_pictures"].toInt(),
          .answerTokens = json["answer_tokens"].toInt(),
          .tokensPerSecond = json["decode_tokens_per_s"].toDouble(),
          .prunedLayers = json["pruned_layers"].toInt(),
          .layers = json["layers"].toInt(),
          .boundary = json["boundary"].toString(),
          .finish = json["finish_reason"].toString(),
          .model = json["model"].toString(),
          .device = json["device"].toString()};
}

QString to_json(const SamplingChoice& sampling) {
  return compact({{"temperature", sampling.temperature},
                  {"top_k", sampling.topK},
                  {"top_p", sampling.topP},
                  {"min_p", sampling.minP},
                  {"repetition_penalty", sampling.repetitionPenalty},
                  {"seed", QString::number(sampling.seed)},
                  {"max_tokens", sampling.maxTokens}});
}

SamplingChoice sampling_from_json(const QString& text) {
  const QJsonObject json = QJsonDocument::fromJson(text.toUtf8()).object();
  const SamplingChoice defaults;
  return {.temperature = json["temperature"].toDouble(defaults.temperature),
          .topK = json["top_k"].toInt(defaults.topK),
          .topP = json["top_p"].toDouble(defaults.topP),
          .minP = json["min_p"].toDouble(defaults.minP),
          .repetitionPenalty = json["repetition_penalty"].toDouble(defaults.repetitionPenalty),
          .seed = json["seed"].toString().toULongLong(),
          .maxTokens = json["max_tokens"].toInt(defaults.maxTokens)};
}

}  // namespace poplens::ui
