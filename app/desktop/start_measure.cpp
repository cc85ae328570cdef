#include "app/desktop/start_measure.h"

#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

#include <QTimer>
#include <unistd.h>

namespace poplens::desktop {
namespace {

constexpr int kPatienceMs = 60'000;

double clock_ms(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Since this process was started, to about 10 ms: the kernel notes the start in its ticks.
double process_age_ms() {
  std::ifstream file("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  // The second field is the program's name in parentheses, and may hold anything.
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  constexpr int kBetween = 19;
  std::string skipped;
  for (int i = 0; i < kBetween; ++i) fields >> skipped;
  double start_ticks = 0.0;
  fields >> start_ticks;
  return clock_ms(CLOCK_BOOTTIME) - start_ticks * 1e3 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

StartMeasure::StartMeasure(ui::Program& program, QQuickWindow& window, QObject* parent)
    : QObject(parent), program_(program) {
  connect(&window, &QQuickWindow::frameSwapped, this, [this] {
    if (frame_ms_) return;
    frame_ms_ = process_age_ms();
    frame_cpu_ms_ = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
    look();
  });
  connect(program.engine(), &ui::EngineState::changed, this, &StartMeasure::look);
  QTimer::singleShot(kPatienceMs, this, [this] { emit finished(false); });
}

void StartMeasure::look() {
  const auto state = program_.engine()->state();
  if (!model_ms_ && state == ui::EngineState::Ready) model_ms_ = process_age_ms();
  if (state == ui::EngineState::Failed) emit finished(false);
  if (frame_ms_ && model_ms_) emit finished(true);
}

QString StartMeasure::report() const {
  const auto ms = [](double value) { return QString::number(value, 'f', 0); };
  QString text =
      frame_ms_ ? QString("first frame after %1 ms (%2 ms of processor time)").arg(ms(*frame_ms_), ms(frame_cpu_ms_))
                : QString("no frame");
  return text + (model_ms_ ? QString(", model ready after %1 ms").arg(ms(*model_ms_)) : QString(", no model"));
}

}  // namespace poplens::desktop
