#include "ui/engine/importance_profile.h"

#include <algorithm>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace poplens::ui {
namespace {

StageImportance stage_from(const QJsonObject& json) {
  return {.importance = json["importance"].toDouble(),
          .gradient = json["gradient"].toDouble(),
          .attention = json["attention"].toDouble(),
          .ffn = json["ffn"].toDouble()};
}

// A square of `size`, or nothing.
QList<QList<double>> matrix_from(const QJsonArray& json, qsizetype size) {
  QList<QList<double>> rows;
  for (const QJsonValue& row : json) {
    QList<double> values;
    for (const QJsonValue& value : row.toArray()) values.append(value.toDouble());
    if (values.size() != size) return {};
    rows.append(values);
  }
  return rows.size() == size ? rows : QList<QList<double>>();
}

}  // namespace

double ImportanceProfile::expected_rise(int depth, bool text_in_full) const {
  const auto count = static_cast<int>(layers.size());
  const int first = count - std::clamp(depth, 0, count);
  const QList<QList<double>>& matrix = text_in_full ? fisherText : fisher;
  double rise = 0.0;
  for (int i = first; i < count; ++i) {
    const StageImportance& stage = text_in_full ? layers[i].prefillText : layers[i].prefill;
    rise += matrix.isEmpty() ? stage.importance : -stage.gradient;
    for (int j = first; j < count && !matrix.isEmpty(); ++j) rise += matrix[i][j] / 2.0;
  }
  return rise;
}

Result<ImportanceProfile> read_importance_profile(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return Error{path.toStdString() + ": " + file.errorString().toStdString()};
  QJsonParseError error;
  const QJsonObject json = QJsonDocument::fromJson(file.readAll(), &error).object();
  if (error.error != QJsonParseError::NoError)
    return Error{path.toStdString() + ": " + error.errorString().toStdString()};

  ImportanceProfile profile;
  profile.samples = json["samples"].toInt();
  const QJsonArray layers = json["layers"].toArray();
  if (layers.isEmpty()) return Error{path.toStdString() + ": no \"layers\" in it"};
  for (const QJsonValue& value : layers) {
    const QJsonObject layer = value.toObject();
    if (layer["layer"].toInt(-1) != profile.layers.size()) {
      return Error{path.toStdString() + ": layer " + std::to_string(profile.layers.size()) + " is missing"};
    }
    profile.layers.append({.prefill = stage_from(layer["prefill"].toObject()),
                           .decode = stage_from(layer["decode"].toObject()),
                           .prefillText = stage_from(layer["prefill_text"].toObject()),
                           .decodeText = stage_from(layer["decode_text"].toObject())});
  }
  const QJsonObject matrices = json["fisher_matrix"].toObject();
  profile.fisher = matrix_from(matrices["prefill"].toArray(), layers.size());
  profile.fisherText = matrix_from(matrices["prefill_text"].toArray(), layers.size());
  return profile;
}

}  // namespace poplens::ui
