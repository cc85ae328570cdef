// Comparisons and sweeps as files: JSON with everything, CSV with one line a run or depth.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

#include "engine/base/result.h"
#include "ui/engine/compare_job.h"

namespace poplens::ui {

struct ComparisonRecord {
  QString question;
  QList<SentPicture> pictures;
  SamplingChoice sampling;
  CompareOutcome compared;  // two sides, or none
  CompareOutcome sweep;     // one side a depth, or none
};

// The keys of `poplens-cli compare --json`, with "question", "pictures", "sampling" and "sweep".
QByteArray to_json(const ComparisonRecord& record);
// kind (compare_run, compare_median, sweep_run, sweep_median), depth, run, ttft_ms, a column a stage, then agreement
// and first_token_kl of a depth; decimal points whatever the locale.
QByteArray to_csv(const ComparisonRecord& record);

// What the screen has grabbed of itself.
QByteArray to_png(const QImage& picture);

// write_file() of engine/base: whole or not at all.
Result<void> write_export(const QString& path, const QByteArray& bytes);

}  // namespace poplens::ui
