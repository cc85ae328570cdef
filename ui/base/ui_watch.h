// How the user interface's thread is doing: processor time between two waits for events, and how late timers come.
#pragma once

#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

namespace poplens::ui {

class UiWatch : public QObject {
  Q_OBJECT

 public:
  // Watches the thread that it is made on.
  explicit UiWatch(QObject* parent = nullptr);

  double most_cpu_ms() const;
  double most_delay_ms() const;
  // "1234 turns of the event loop, processor time median 0.1 ms, 99 % 3.1 ms, most 9.8 ms; delay median 0.0 ms, 99 %
  // 0.4 ms, most 12.0 ms". A turn is one event, or several that came together.
  QString report() const;

 private:
  std::vector<double> cpu_ms_;
  std::vector<double> delay_ms_;
  double cpu_at_wait_ms_ = 0.0;
  QTimer beat_;
  QElapsedTimer since_beat_;
};

}  // namespace poplens::ui
