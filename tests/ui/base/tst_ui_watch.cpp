// The watch of the window's thread sees a turn that was busy, and one that came late.
#include <ctime>
#include <functional>

#include <QEventLoop>
#include <QTest>
#include <QThread>

#include "ui/base/ui_watch.h"

using namespace poplens::ui;

namespace {

constexpr int kPatienceMs = 10'000;
constexpr int kBusyMs = 60;
constexpr int kLateMs = 150;

double thread_cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Runs an event loop, which waits for events as the program's does, until it is so.
void run_until(const std::function<bool()>& done) {
  QEventLoop loop;
  QTimer look;
  QObject::connect(&look, &QTimer::timeout, &loop, [&] {
    if (done()) loop.quit();
  });
  look.start(10);
  QTimer::singleShot(kPatienceMs, &loop, &QEventLoop::quit);
  loop.exec();
}

}  // namespace

class UiWatchTest : public QObject {
  Q_OBJECT

 private slots:
  void seesProcessorTime() {
    UiWatch watch;
    QTimer::singleShot(0, this, [] {
      const double start = thread_cpu_ms();
      while (thread_cpu_ms() - start < kBusyMs) {
      }
    });
    run_until([&] { return watch.most_cpu_ms() >= kBusyMs; });
    QVERIFY(watch.most_cpu_ms() >= kBusyMs);
  }

  // Sleeping costs no processor time, but nothing is answered meanwhile.
  void seesDelay() {
    UiWatch watch;
    QTimer::singleShot(0, this, [] { QThread::msleep(kLateMs); });
    constexpr int kBeatMs = 20;
    run_until([&] { return watch.most_delay_ms() >= kLateMs - kBeatMs; });
    QVERIFY(watch.most_delay_ms() >= kLateMs - kBeatMs);
  }

  void saysBothInOneLine() {
    const UiWatch watch;
    QTest::qWait(50);
    const QString report = watch.report();
    QVERIFY2(report.contains("turns of the event loop, processor time median ") && report.contains("; delay median "),
             qPrintable(report));
    QCOMPARE(report.count("99 %"), 2);
    QVERIFY(!report.contains('\n'));
  }
};

QTEST_GUILESS_MAIN(UiWatchTest)
#include "tst_ui_watch.moc"
