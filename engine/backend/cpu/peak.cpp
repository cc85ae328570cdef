#include "engine/backend/cpu/peak.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "engine/backend/cpu/cpu_features.h"
#include "engine/backend/cpu/kernel_set.h"
#include "engine/backend/cpu/thread_pool.h"
#include "engine/backend/cpu/workspace.h"
#include "engine/base/clock.h"

namespace poplens::cpu {
namespace {

double seconds_since(Clock::time_point start) {
  return ms_since(start) / 1000.0;
}

int threads_or_cores(int threads) {
  return threads > 0 ? threads : usable_cores();
}

// Four sums, so that no addition waits for the one before.
uint64_t sum_words(const std::byte* data, int64_t bytes) {
  uint64_t sums[4] = {};
  for (int64_t at = 0; at + 32 <= bytes; at += 32) {
    uint64_t words[4];
    std::memcpy(words, data + at, sizeof(words));
    for (int i = 0; i < 4; ++i) sums[i] += words[i];
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}

}  // namespace

double measure_peak_gflops(CpuPath path, DType type, int threads) {
  constexpr double duration_s = 0.05;
  constexpr int64_t rounds_at_once = 10'000;
  const KernelSet set = kernels_of(path);
  const Kernels& kernels = set.for_type(type);
  ThreadPool pool(threads_or_cores(threads));
  std::atomic<int64_t> rounds{0};
  std::atomic<float> sink{0};
  const auto start = Clock::now();
  pool.parallel_for(pool.size(), 1, [&](int64_t, int64_t, int) {
    while (seconds_since(start) < duration_s) {
      sink = kernels.spin(rounds_at_once);
      rounds += rounds_at_once;
    }
  });
  return static_cast<double>(rounds) * kernels.flop_per_round / seconds_since(start) * 1e-9;
}

double measure_read_bandwidth_gb_per_s(int threads) {
  constexpr int64_t bytes = int64_t{512} << 20;  // no cache holds it
  constexpr int64_t piece = int64_t{1} << 20;
  constexpr int passes = 3;
  const std::shared_ptr<void> memory = allocate_zeroed(bytes);
  if (memory == nullptr) return 0;
  auto* data = static_cast<std::byte*>(memory.get());
  ThreadPool pool(threads_or_cores(threads));
  // Written once: pages never written would all be the same page of zeros.
  pool.parallel_for(bytes, piece, [&](int64_t begin, int64_t end, int) {
    std::memset(data + begin, 1, static_cast<size_t>(end - begin));
  });
  std::atomic<uint64_t> sink{0};
  double best_s = 1e9;
  for (int pass = 0; pass < passes; ++pass) {
    const auto start = Clock::now();
    pool.parallel_for(bytes, piece,
                      [&](int64_t begin, int64_t end, int) { sink += sum_words(data + begin, end - begin); });
    best_s = std::min(best_s, seconds_since(start));
  }
  return static_cast<double>(bytes) / best_s * 1e-9;
}

}  // namespace poplens::cpu
