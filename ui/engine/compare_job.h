// A question to be answered under several plans, and what came of it: values that travel between threads.
#pragma once

#include <optional>

#include "engine/session/comparison.h"
#include "ui/engine/jobs.h"

namespace poplens::ui {

class EngineRoom;

struct CompareJob {
  AskJob ask;          // its plan gives the boundary
  QList<int> depths;   // layers pruned in the prefill, the full model (0) first; -1: a third of the layers
  bool sweep = false;  // the depths are chosen here, over all layers
  ComparisonOptions options;
};

struct ComparedFigures {
  QString text;
  AnswerFigures figures;  // medians of the runs
  QList<ComparedRun> runs;
  Difference fromFull;
};

struct CompareOutcome {
  QList<ComparedFigures> sides;  // the full model first
  ComparisonOptions options;
  bool featuresShared = false;  // the measured runs took the pictures' features from the cache
};

// About ten depths from 0 on, evenly spaced, of a model of `layers` layers. Not all layers: then nothing is left that
// reads the prompt.
QList<int> sweep_depths(int layers);

// On the engine's thread.
Result<CompareOutcome> run_compare_job(EngineRoom& room, const CompareJob& job, const ComparisonSink& sink,
                                       const std::stop_token& stop);

}  // namespace poplens::ui
