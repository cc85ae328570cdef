// Whether an answer is right.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/base/result.h"

namespace poplens {

enum class Score : uint8_t {
  exact,     // the same after trimming and case folding (ASCII)
  number,    // the first number in both is the same
  contains,  // the expected answer stands somewhere in the answer, case folded
  items,     // share of the expected items (separated by line ends, commas, semicolons or |) that the answer has
};

Result<Score> parse_score(std::string_view name);

// From 0 to 1.
double score_answer(Score score, std::string_view answer, std::string_view expected);

}  // namespace poplens
