#include "ui/store/comparison_file.h"

#include <QBuffer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTextStream>

#include "engine/base/write_file.h"
#include "ui/store/figures_json.h"

namespace poplens::ui {
namespace {

QJsonObject answer_json(const ComparedFigures& side) {
  const AnswerFigures& figures = side.figures;
  return {
      {"text", side.text},
      {"ttft_ms", figures.ttftMs},
      {"stages_ms", stages_json(figures.stages)},
      {"prompt_tokens", figures.promptTokens},
      {"image_tokens", figures.imageTokens},
      {"answer_tokens", figures.answerTokens},
      {"decode_tokens_per_s", figures.tokensPerSecond},
      {"finish_reason", figures.finish},
      {"plan",
       QJsonObject{{"depth", figures.prunedLayers}, {"layers_in_all", figures.layers}, {"boundary", figures.boundary}}},
      {"model", figures.model},
      {"device", figures.device}};
}

QJsonArray runs_json(const CompareOutcome& outcome) {
  QJsonArray runs;
  const ComparedFigures& full = outcome.sides[0];
  const ComparedFigures& pop = outcome.sides[1];
  const auto run_json = [](const ComparedRun& run) {
    return QJsonObject{{"ttft_ms", run.ttft_ms}, {"stages_ms", stages_json(run.stages)}};
  };
  for (qsizetype i = 0; i < full.runs.size(); ++i) {
    runs.append(QJsonObject{{"order", i % 2 == 0 ? QJsonArray{"full", "pop"} : QJsonArray{"pop", "full"}},
                            {"full", run_json(full.runs[i])},
                            {"pop", run_json(pop.runs[i])}});
  }
  return runs;
}

QJsonValue divergence_json(const Difference& difference) {
  if (!difference.divergence) return QJsonValue::Null;
  return static_cast<qint64>(*difference.divergence);
}

QJsonArray sweep_json(const CompareOutcome& sweep) {
  QJsonArray rows;
  for (const ComparedFigures& side : sweep.sides) {
    rows.append(QJsonObject{{"depth", side.figures.prunedLayers},
                            {"ttft_ms", side.figures.ttftMs},
                            {"stages_ms", stages_json(side.figures.stages)},
                            {"ttft_ratio", side.fromFull.ttft_ratio},
                            {"agreement", side.fromFull.agreement},
                            {"first_divergence", divergence_json(side.fromFull)},
                            {"first_token_kl", side.fromFull.first_token_kl},
                            {"text", side.text}});
  }
  return rows;
}

QString number(double value) {
  return QString::number(value, 'g', 9);
}

void csv_line(QTextStream& csv, const QString& kind, int depth, const QString& run, double ttft,
              const StageTimes& stages, const Difference* difference) {
  csv << kind << ',' << depth << ',' << run << ',' << number(ttft);
  for (const NamedStageTime& column : kStageTimes) csv << ',' << number(stages.*column.ms);
  if (difference != nullptr) {
    csv << ',' << number(difference->agreement) << ',' << number(difference->first_token_kl) << '\n';
  } else {
    csv << ",,\n";
  }
}

}  // namespace

QByteArray to_json(const ComparisonRecord& record) {
  QJsonArray pictures;
  for (const SentPicture& picture : record.pictures) {
    pictures.append(QJsonObject{{"name", picture.name}, {"sha256", picture.hash}, {"tokens", picture.tokens}});
  }
  QJsonObject json{{"question", record.question},
                   {"pictures", pictures},
                   {"sampling", QJsonObject{{"temperature", record.sampling.temperature},
                                            {"seed", QString::number(record.sampling.seed)},
                                            {"max_tokens", record.sampling.maxTokens}}}};
  if (record.compared.sides.size() == 2) {
    const Difference& difference = record.compared.sides[1].fromFull;
    json["full"] = answer_json(record.compared.sides[0]);
    json["pop"] = answer_json(record.compared.sides[1]);
    json["ttft_ratio"] = difference.ttft_ratio;
    json["prefill_ratio"] = difference.prefill_ratio;
    json["first_divergence"] = divergence_json(difference);
    json["first_token_kl"] = difference.first_token_kl;
    json["features_shared"] = record.compared.featuresShared;
    json["runs"] = runs_json(record.compared);
  }
  if (!record.sweep.sides.isEmpty()) json["sweep"] = sweep_json(record.sweep);
  return QJsonDocument(json).toJson();
}

QByteArray to_csv(const ComparisonRecord& record) {
  QByteArray bytes;
  QTextStream csv(&bytes);
  csv << "kind,depth,run,ttft_ms";
  for (const NamedStageTime& column : kStageTimes) csv << ',' << column.name << "_ms";
  csv << ",agreement,first_token_kl\n";
  const auto write = [&](const CompareOutcome& outcome, const char* kind) {
    for (const ComparedFigures& side : outcome.sides) {
      const int depth = side.figures.prunedLayers;
      for (qsizetype i = 0; i < side.runs.size(); ++i) {
        csv_line(csv, QString("%1_run").arg(kind), depth, QString::number(i + 1), side.runs[i].ttft_ms,
                 side.runs[i].stages, nullptr);
      }
      csv_line(csv, QString("%1_median").arg(kind), depth, {}, side.figures.ttftMs, side.figures.stages,
               &side.fromFull);
    }
  };
  write(record.compared, "compare");
  write(record.sweep, "sweep");
  csv.flush();
  return bytes;
}

QByteArray to_png(const QImage& picture) {
  QByteArray png;
  QBuffer buffer(&png);
  buffer.open(QIODevice::WriteOnly);
  picture.save(&buffer, "PNG");
  return png;
}

Result<void> write_export(const QString& path, const QByteArray& bytes) {
  return write_file(path.toStdString(), {bytes.constData(), static_cast<size_t>(bytes.size())});
}

}  // namespace poplens::ui
