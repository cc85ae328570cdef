// How far what was told of answers lay from what they took, and what that says of the next one.
#pragma once

#include <cstddef>
#include <vector>

namespace poplens {

struct AnswerTime {
  double told_ms = 0.0;  // predicted from the calibration alone
  double took_ms = 0.0;

  bool operator==(const AnswerTime&) const = default;
};

using AnswerTimes = std::vector<AnswerTime>;  // oldest first

constexpr size_t kMostAnswerTimes = 24;

// Beyond kMostAnswerTimes the oldest one goes. What tells nothing (a time of 0, or one that is a thousand times the
// other) is not taken.
void remember(AnswerTimes& times, AnswerTime time);

// The factor that brings `told_ms` to what such answers took: a weighted median of took / told, so that one answer
// among several that was disturbed does not lead it astray, with the calibration itself (a factor of 1) as one answer
// more: a single answer goes half-way. None counts as more than three times off. An answer counts by how near its size
// was, not at all from eight times as large or small on, and less with each that came after it.
double correction_of(const AnswerTimes& times, double told_ms);

}  // namespace poplens
