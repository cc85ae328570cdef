// How fast the loaded model is on this machine. Measured in a second or two when nothing else runs, unless it was kept
// from an earlier start; any other job of the engine goes first, and stops the measuring. What answers then take
// corrects it.
#pragma once

#include <optional>

#include <QObject>
#include <QTimer>

#include "engine/pop/cost/measured_speed.h"

namespace poplens::ui {

class EngineClient;
class EngineState;

class MachineSpeed : public QObject {
  Q_OBJECT

 public:
  MachineSpeed(EngineState* engine, EngineClient* client, QObject* parent = nullptr);

  bool known() const { return speed_.has_value(); }
  // Only where known, under a plan for the loaded model.
  double ttft_ms(const PromptExtent& prompt, const PopPlan& plan) const;

 signals:
  void changed();

 private:
  void forget();
  void measure();
  void learn(const ComputedPrompt& prompt);

  EngineState* engine_;
  EngineClient* client_;
  QTimer settle_;
  quint64 job_ = 0;
  bool wanted_ = false;
  std::optional<MeasuredSpeed> speed_;
};

}  // namespace poplens::ui
