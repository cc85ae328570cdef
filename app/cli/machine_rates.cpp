#include "app/cli/machine_rates.h"

#include <cstdlib>
#include <string_view>

#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/peak.h"

namespace poplens::cli {
namespace {

// The path that the CPU backend takes (cpu_backend.h); it has checked by now that the machine runs it.
CpuPath path_in_use() {
  const char* forced = std::getenv("POPLENS_CPU_PATH");
  for (const CpuPath path : {CpuPath::avx2, CpuPath::avx512, CpuPath::avx512_bf16, CpuPath::amx}) {
    if (forced != nullptr && std::string_view(forced) == name_of(path)) return path;
  }
  return best_cpu_path().value_or(CpuPath::avx2);
}

}  // namespace

MachineRates measure_machine(DType type, int threads) {
  constexpr double kBytesPerGigabyte = 1e9;
  return {.peak_gflops = cpu::measure_peak_gflops(path_in_use(), type, threads),
          .read_bytes_per_s = cpu::measure_read_bandwidth_gb_per_s(threads) * kBytesPerGigabyte};
}

}  // namespace poplens::cli
