// Memory, reckoned before it is taken.
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/result.h"

namespace poplens {

// What the machine (or the control group that the process runs in) can still give.
int64_t available_memory_bytes();
// The most that this process has had in memory so far.
int64_t peak_memory_bytes();

// "9.1 GB"
std::string format_bytes(int64_t bytes);

// Fails with both figures when `bytes` are more than is available. `purpose`: "a prompt of 4,096 tokens".
Result<void> check_memory(const std::string& purpose, int64_t bytes, int64_t available);

}  // namespace poplens
