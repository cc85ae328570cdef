// What this machine's processor and memory can do at the most: the bench reports shares of it, the cost model needs the
// bandwidth. Both are measured while they are asked for (about 50 ms each) on an otherwise quiet machine.
#pragma once

#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/tensor.h"

namespace poplens::cpu {

// 10^9 floating-point operations a second, a multiply-add being two, with operands of `type` (f32 or bf16) in registers
// alone. The machine must run the path. threads: as in CpuOptions.
double measure_peak_gflops(CpuPath path, DType type, int threads);

// 10^9 bytes a second read from memory by all threads together. 0 where the system has no memory for it.
double measure_read_bandwidth_gb_per_s(int threads);

}  // namespace poplens::cpu
