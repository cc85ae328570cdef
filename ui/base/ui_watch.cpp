#include "ui/base/ui_watch.h"

#include <algorithm>
#include <ctime>

#include <QAbstractEventDispatcher>
#include <QLocale>

namespace poplens::ui {
namespace {

constexpr int kBeatMs = 20;

double thread_cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double most(const std::vector<double>& values) {
  return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

// The value below which 99 of 100 lie.
double high(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const size_t place = values.size() * 99 / 100;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
  return values[place];
}

}  // namespace

UiWatch::UiWatch(QObject* parent) : QObject(parent), cpu_at_wake_ms_(thread_cpu_ms()) {
  QAbstractEventDispatcher* events = QAbstractEventDispatcher::instance();
  connect(events, &QAbstractEventDispatcher::awake, this, [this] { cpu_at_wake_ms_ = thread_cpu_ms(); });
  connect(events, &QAbstractEventDispatcher::aboutToBlock, this,
          [this] { cpu_ms_.push_back(thread_cpu_ms() - cpu_at_wake_ms_); });
  beat_.setTimerType(Qt::PreciseTimer);
  beat_.setInterval(kBeatMs);
  connect(&beat_, &QTimer::timeout, this, [this] {
    delay_ms_.push_back(std::max(0.0, static_cast<double>(since_beat_.nsecsElapsed()) / 1e6 - kBeatMs));
    since_beat_.start();
  });
  since_beat_.start();
  beat_.start();
}

double UiWatch::most_cpu_ms() const {
  return most(cpu_ms_);
}

double UiWatch::most_delay_ms() const {
  return most(delay_ms_);
}

QString UiWatch::report() const {
  const auto ms = [](double value) { return QLocale::c().toString(value, 'f', 1); };
  return QString("%1 turns of the event loop, processor time 99 % %2 ms, most %3 ms; delay 99 % %4 ms, most %5 ms")
      .arg(cpu_ms_.size())
      .arg(ms(high(cpu_ms_)), ms(most_cpu_ms()), ms(high(delay_ms_)), ms(most_delay_ms()));
}

}  // namespace poplens::ui
