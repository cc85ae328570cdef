// How long the program takes to be there: `poplens --measure-start`.
#pragma once

#include <optional>

#include <QObject>
#include <QQuickWindow>

#include "ui/models/program.h"

namespace poplens::desktop {

// Waits for the window's first frame and for the model that is chosen, and says when each was there, counted from the
// start of the process: what the loader does before main() is in it.
class StartMeasure : public QObject {
  Q_OBJECT

 public:
  // Makes it before the window is shown.
  StartMeasure(ui::Program& program, QQuickWindow& window, QObject* parent = nullptr);

  // "first frame after 410 ms (180 ms of processor time), model ready after 620 ms"
  QString report() const;

 signals:
  // `well`: both are there.
  void finished(bool well);

 private:
  void look();

  ui::Program& program_;
  std::optional<double> frame_ms_;
  std::optional<double> model_ms_;
  double frame_cpu_ms_ = 0.0;
};

}  // namespace poplens::desktop
