// The CPU backend: x86-64 from AVX2 up; AVX-512, AVX-512-BF16 and AMX are used where they are, chosen at run time.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/backend/backend.h"
#include "engine/base/result.h"

namespace poplens {

enum class CpuPath { avx2, avx512, avx512_bf16, amx };

const char* name_of(CpuPath path);
// The best path that this machine runs; nothing if it lacks even AVX2 and FMA.
std::optional<CpuPath> best_cpu_path();

struct CpuOptions {
  int threads = 0;              // 0: as many as the machine has cores
  std::optional<CpuPath> path;  // forced; else the environment variable POPLENS_CPU_PATH, else the best there is
};

// Fails with one sentence where the machine does not run the path asked for, or POPLENS_CPU_PATH names none.
Result<std::shared_ptr<Backend>> make_cpu_backend(const CpuOptions& options);

}  // namespace poplens
