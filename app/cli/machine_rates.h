// What the machine reaches at the most, measured in the same run as what is compared with it.
#pragma once

#include "engine/backend/tensor.h"

namespace poplens::cli {

struct MachineRates {
  double peak_gflops = 0.0;       // products of `type` in registers, a multiply-add being two
  double read_bytes_per_s = 0.0;  // from memory; 0 where the system has none for the measurement
};

// Takes about a tenth of a second. `threads`: 0 for all cores.
MachineRates measure_machine(DType type, int threads);

}  // namespace poplens::cli
