// What past answers say of the next: a median that the calibration votes in, nearer sizes and later answers more.
#include <cmath>
#include <limits>

#include <QtTest>

#include "engine/pop/cost/answer_times.h"

using namespace poplens;

namespace {

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-12 * std::abs(b);
}

}  // namespace

class AnswerTimesTest : public QObject {
  Q_OBJECT

 private slots:
  void without_answers_the_calibration_stands() {
    QCOMPARE(correction_of({}, 100.0), 1.0);
    QCOMPARE(correction_of({{100.0, 50.0}}, 0.0), 1.0);
  }

  void one_answer_goes_half_way_and_two_all_the_way() {
    QVERIFY(near(correction_of({{100.0, 80.0}}, 100.0), 0.9));
    QVERIFY(near(correction_of({{100.0, 140.0}}, 100.0), 1.2));
    QVERIFY(near(correction_of({{100.0, 80.0}, {100.0, 80.0}}, 100.0), 0.8));
    // Weights 0.85 for 0.7, 1 for 0.9 and 1 for the calibration: half of 2.85 is the middle of the second.
    QVERIFY(near(correction_of({{100.0, 70.0}, {100.0, 90.0}}, 100.0), 0.9 + 0.1 * (1.425 - 1.35)));
  }

  void a_disturbed_answer_does_not_lead_astray() {
    AnswerTimes times(6, {100.0, 90.0});
    times.push_back({100.0, 400.0});
    QVERIFY(near(correction_of(times, 100.0), 0.9));
    times.front().took_ms = 1000.0;
    QVERIFY(near(correction_of(times, 100.0), 0.9));
  }

  void the_only_answer_says_three_times_at_the_most() {
    QVERIFY(near(correction_of({{100.0, 5000.0}}, 100.0), 2.0));
    QVERIFY(near(correction_of({{100.0, 1.0}}, 100.0), (1.0 + 1.0 / 3.0) / 2.0));
  }

  void answers_of_another_size_count_less() {
    const AnswerTimes times(8, {100.0, 50.0});
    double last = 0.0;
    for (const double told_ms : {100.0, 150.0, 300.0, 500.0, 700.0, 800.0, 2000.0}) {
      const double factor = correction_of(times, told_ms);
      QVERIFY(factor >= last && factor >= 0.5 && factor <= 1.0);
      QVERIFY(near(factor, correction_of(times, 100.0 * 100.0 / told_ms)));  // as many times smaller
      last = factor;
    }
    QCOMPARE(correction_of(times, 800.0), 1.0);
    QVERIFY(near(correction_of(times, 100.0), 0.5));
    // No step: a slider that moves shows none that is not there.
    for (double told_ms = 50.0; told_ms < 1000.0; told_ms *= 1.01) {
      QVERIFY(std::abs(correction_of(times, told_ms * 1.01) - correction_of(times, told_ms)) < 0.02);
    }
  }

  void a_machine_that_became_slower_is_followed() {
    AnswerTimes times(kMostAnswerTimes, {100.0, 100.0});
    int answers = 0;
    while (correction_of(times, 100.0) < 1.9 && answers < 20) {
      remember(times, {100.0, 200.0});
      ++answers;
    }
    QVERIFY2(answers <= 7, std::to_string(answers).c_str());
  }

  void what_tells_nothing_is_not_remembered() {
    constexpr double kEver = std::numeric_limits<double>::infinity();
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    AnswerTimes times;
    for (const AnswerTime time : {AnswerTime{0.0, 1.0},
                                  {1.0, 0.0},
                                  {-1.0, -1.0},
                                  {1.0, 1000.0},
                                  {1000.0, 1.0},
                                  {kEver, kEver},
                                  {kNothing, 1.0},
                                  {1.0, kNothing}}) {
      remember(times, time);
    }
    QVERIFY(times.empty());
    for (int i = 1; i <= 30; ++i) remember(times, {static_cast<double>(i), 2.0 * i});
    QCOMPARE(times.size(), kMostAnswerTimes);
    QCOMPARE(times.front().told_ms, 7.0);
    QCOMPARE(times.back().told_ms, 30.0);
  }
};

QTEST_APPLESS_MAIN(AnswerTimesTest)
#include "tst_answer_times.moc"
