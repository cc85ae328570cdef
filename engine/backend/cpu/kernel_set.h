// A backend on given kernels: for the paths that this machine runs, and for tests that run the others in emulation.
#pragma once

#include <memory>
#include <string>

#include "engine/backend/backend.h"
#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/base/result.h"

namespace poplens::cpu {

// The kernels of a path; the machine must run it (cpu_features.h).
KernelSet kernels_of(CpuPath path);

// `name`: how description() calls the kernels. threads: at least 1.
Result<std::shared_ptr<Backend>> make_backend(const std::string& name, const KernelSet& kernels, int threads);

}  // namespace poplens::cpu
