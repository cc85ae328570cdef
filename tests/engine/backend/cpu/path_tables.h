// The kernels' tables of all paths: of this machine's own where it runs them, and of the others in emulation.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/backend/cpu/cpu_features.h"
#include "engine/backend/cpu/kernel_set.h"
#include "tests/support/emulation/emulated_kernels.h"

namespace poplens::test {

inline std::vector<std::pair<std::string, const cpu::Kernels*>> path_tables() {
  std::vector<std::pair<std::string, const cpu::Kernels*>> tables = {
      {"avx512 emulated", &cpu::emulated_avx512_kernels()},
      {"avx512_bf16 emulated", &cpu::emulated_avx512_bf16_kernels()},
      {"amx emulated", &cpu::emulated_amx_kernels()},
  };
  for (const CpuPath path : {CpuPath::avx2, CpuPath::avx512, CpuPath::avx512_bf16, CpuPath::amx}) {
    if (cpu::runs(path)) tables.emplace_back(name_of(path), cpu::kernels_of(path).bf16);
  }
  return tables;
}

}  // namespace poplens::test
