#include "engine/pop/cost/answer_times.h"

#include <algorithm>
#include <cmath>

namespace poplens {
namespace {

constexpr double kFarthestSize = 8.0;
constexpr double kKeptByAge = 0.85;
constexpr double kMostTimes = 1000.0;
// A calibration is not wrong by more: then it was the answer that was disturbed.
constexpr double kMostWrong = 3.0;

struct Weighted {
  double value = 0.0;
  double weight = 0.0;
};

// Each value stands at the middle of its weight, in ascending order; linear between them, so that it does not jump
// while a weight goes to 0.
double weighted_median(std::vector<Weighted> values) {
  std::stable_sort(values.begin(), values.end(),
                   [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  double total = 0.0;
  for (const Weighted& one : values) total += one.weight;
  double below = 0.0;  // weight of the values before
  double last_at = 0.0, last = values.front().value;
  for (const Weighted& one : values) {
    const double at = below + one.weight / 2.0;
    if (at >= total / 2.0) {
      const double share = at > last_at ? (total / 2.0 - last_at) / (at - last_at) : 1.0;
      return last + std::clamp(share, 0.0, 1.0) * (one.value - last);
    }
    last_at = at;
    last = one.value;
    below += one.weight;
  }
  return last;
}

double nearness(double a_ms, double b_ms) {
  return std::max(0.0, 1.0 - std::abs(std::log(a_ms / b_ms)) / std::log(kFarthestSize));
}

// False of what tells nothing: a time of 0, or one that is a thousand times the other.
bool tells_something(const AnswerTime& time) {
  return time.told_ms > 0.0 && time.took_ms > 0.0 && time.took_ms < kMostTimes * time.told_ms &&
         time.told_ms < kMostTimes * time.took_ms;
}

}  // namespace

void remember(AnswerTimes& times, AnswerTime time) {
  if (!tells_something(time)) return;
  times.push_back(time);
  if (times.size() > kMostAnswerTimes) times.erase(times.begin());
}

double correction_of(const AnswerTimes& times, double told_ms) {
  std::vector<Weighted> ratios = {{1.0, 1.0}};
  if (!(told_ms > 0.0)) return 1.0;
  double by_age = 1.0;
  for (auto time = times.rbegin(); time != times.rend(); ++time) {
    const double weight = by_age * nearness(time->told_ms, told_ms);
    const double ratio = std::clamp(time->took_ms / time->told_ms, 1.0 / kMostWrong, kMostWrong);
    if (weight > 0.0) ratios.push_back({ratio, weight});
    by_age *= kKeptByAge;
  }
  return weighted_median(std::move(ratios));
}

}  // namespace poplens
