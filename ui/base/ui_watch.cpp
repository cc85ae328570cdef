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

// The value below which this share of all lies.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  const auto place = static_cast<std::ptrdiff_t>(static_cast<double>(values.size() - 1) * share);
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<size_t>(place)];
}

// "median 0.1 ms, 99 % 3.1 ms, most 9.8 ms"
QString spread(const std::vector<double>& values) {
  const auto ms = [](double value) { return QLocale::c().toString(value, 'f', 1); };
  return QString("median %1 ms, 99 % %2 ms, most %3 ms")
      .arg(ms(quantile(values, 0.5)), ms(quantile(values, 0.99)), ms(quantile(values, 1.0)));
}

}  // namespace

UiWatch::UiWatch(QObject* parent) : QObject(parent), cpu_at_wait_ms_(thread_cpu_ms()) {
  QAbstractEventDispatcher* events = QAbstractEventDispatcher::instance();
  // From one wait to the next, since waiting costs no processor time: GLib's dispatcher says that it is awake only when
  // the events are done with.
  connect(events, &QAbstractEventDispatcher::aboutToBlock, this, [this] {
    const double now_ms = thread_cpu_ms();
    cpu_ms_.push_back(now_ms - cpu_at_wait_ms_);
    cpu_at_wait_ms_ = now_ms;
  });
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
  return quantile(cpu_ms_, 1.0);
}

double UiWatch::most_delay_ms() const {
  return quantile(delay_ms_, 1.0);
}

QString UiWatch::report() const {
  return QString("%1 turns of the event loop, processor time %2; delay %3")
      .arg(cpu_ms_.size())
      .arg(spread(cpu_ms_), spread(delay_ms_));
}

}  // namespace poplens::ui
