// What of a prompt decides how long it takes to the first token.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/pop/plan.h"
#include "engine/session/prompt.h"

namespace poplens {

struct PromptExtent {
  int64_t tokens = 0;
  int64_t first = 0;                    // positions below are in the cache already
  int64_t boundary_begin = 0;           // the first position that runs in full
  std::vector<int64_t> picture_tokens;  // soft tokens of each picture that is to be encoded

  bool operator==(const PromptExtent&) const = default;
};

// Of a prompt of which nothing was computed before.
PromptExtent extent_of(const Prompt& prompt, const Boundary& boundary);

}  // namespace poplens
