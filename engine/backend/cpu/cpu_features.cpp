#include "engine/backend/cpu/cpu_features.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <set>
#include <string>

#include <cpuid.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace poplens::cpu {
namespace {

struct CpuId {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;

  CpuId(uint32_t leaf, uint32_t subleaf) { __get_cpuid_count(leaf, subleaf, &eax, &ebx, &ecx, &edx); }
};

bool all(uint64_t value, uint64_t bits) {
  return (value & bits) == bits;
}

constexpr uint64_t bit(int n) {
  return uint64_t{1} << n;
}

// The register sets that the system saves (XCR0); 0 where it uses none of this.
uint64_t saved_registers() {
  if (!all(CpuId(1, 0).ecx, bit(27))) return 0;  // OSXSAVE
  uint32_t low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t{high} << 32) | low;
}

bool has_avx2() {
  const uint32_t basic = CpuId(1, 0).ecx;
  return all(saved_registers(), bit(1) | bit(2)) && all(basic, bit(12) | bit(28) | bit(29)) &&  // FMA, AVX, F16C
         all(CpuId(7, 0).ebx, bit(5));
}

bool has_avx512() {
  return has_avx2() && all(saved_registers(), bit(5) | bit(6) | bit(7)) &&
         all(CpuId(7, 0).ebx, bit(16) | bit(17) | bit(30) | bit(31));  // F, DQ, BW, VL
}

bool has_avx512_bf16() {
  return has_avx512() && all(CpuId(7, 1).eax, bit(5));
}

bool has_amx() {
  constexpr int request_permission = 0x1023, tile_data = 18;  // ARCH_REQ_XCOMP_PERM
  return has_avx512_bf16() && all(saved_registers(), bit(17) | bit(18)) &&
         all(CpuId(7, 0).edx, bit(22) | bit(24)) &&  // AMX-BF16, AMX-TILE
         syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

}  // namespace

bool runs(CpuPath path) {
  switch (path) {
    case CpuPath::avx2:
      return has_avx2();
    case CpuPath::avx512:
      return has_avx512();
    case CpuPath::avx512_bf16:
      return has_avx512_bf16();
    case CpuPath::amx:
      return has_amx();
  }
  return false;
}

int usable_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) {
    return static_cast<int>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
  }
  std::set<std::string> cores;
  for (size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
    std::string siblings;
    if (!std::getline(file, siblings)) siblings = "cpu " + std::to_string(cpu);
    cores.insert(siblings);
  }
  return static_cast<int>(std::max<size_t>(cores.size(), 1));
}

}  // namespace poplens::cpu
