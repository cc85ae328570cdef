// What this machine's processor and system offer.
#pragma once

#include "engine/backend/cpu/cpu_backend.h"

namespace poplens::cpu {

// Whether processor and system run the path. AMX asks the system for the tiles' register space, once for the process.
bool runs(CpuPath path);

// The processor cores that this process may use, hyper-threads counted once; at least 1.
int usable_cores();

}  // namespace poplens::cpu
