#include "engine/backend/cpu/thread_pool.h"

#include <algorithm>
#include <chrono>

#include <immintrin.h>

namespace poplens::cpu {
namespace {

constexpr uint32_t joined_mask = (1U << 12) - 1;
constexpr uint32_t open_bit = 1U << 12;
constexpr uint32_t job_step = 1U << 13;
constexpr int most_threads = joined_mask;
constexpr auto spin_time = std::chrono::microseconds(50);

uint32_t job_of(uint32_t state) {
  return state / job_step;
}

// Returns once `done(state)` holds: spins for a moment, then sleeps in the kernel until the state changes.
template <typename Done>
uint32_t wait_until(const std::atomic<uint32_t>& state, const Done& done) {
  const auto until = std::chrono::steady_clock::now() + spin_time;
  uint32_t seen = state.load(std::memory_order_acquire);
  while (!done(seen)) {
    for (int i = 0; i < 32 && !done(seen); ++i) {
      _mm_pause();
      seen = state.load(std::memory_order_acquire);
    }
    if (!done(seen) && std::chrono::steady_clock::now() > until) {
      state.wait(seen, std::memory_order_acquire);
      seen = state.load(std::memory_order_acquire);
    }
  }
  return seen;
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  const int workers = std::clamp(threads, 1, most_threads) - 1;
  workers_.reserve(static_cast<size_t>(workers));
  try {
    for (int i = 0; i < workers; ++i) workers_.emplace_back([this, i] { work(i + 1); });
  } catch (...) {
    stop_ = true;
    state_.fetch_add(job_step);
    state_.notify_all();
    for (std::thread& worker : workers_) worker.join();
    throw;
  }
}

ThreadPool::~ThreadPool() {
  stop_ = true;
  state_.fetch_add(job_step);
  state_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::take_pieces(int thread) {
  for (;;) {
    const int64_t begin = next_.fetch_add(grain_, std::memory_order_relaxed);
    if (begin >= count_) return;
    call_(context_, begin, std::min(begin + grain_, count_), thread);
  }
}

void ThreadPool::run(int64_t count, int64_t grain, const void* context, Call call) {
  if (count <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  if (count <= grain || workers_.empty()) {
    for (int64_t begin = 0; begin < count; begin += grain) call(context, begin, std::min(begin + grain, count), 0);
    return;
  }
  count_ = count;
  grain_ = grain;
  context_ = context;
  call_ = call;
  next_.store(0, std::memory_order_relaxed);
  const uint32_t closed = state_.load(std::memory_order_relaxed);
  state_.store((closed + job_step) | open_bit, std::memory_order_release);
  state_.notify_all();

  take_pieces(0);
  state_.fetch_and(~open_bit, std::memory_order_acq_rel);
  wait_until(state_, [](uint32_t state) { return (state & joined_mask) == 0; });
}

void ThreadPool::work(int thread) {
  uint32_t last_job = 0;
  for (;;) {
    uint32_t seen = wait_until(state_, [&](uint32_t state) {
      return stop_.load(std::memory_order_relaxed) || ((state & open_bit) != 0 && job_of(state) != last_job);
    });
    if (stop_.load()) return;
    if (!state_.compare_exchange_strong(seen, seen + 1, std::memory_order_acq_rel)) continue;
    last_job = job_of(seen);
    take_pieces(thread);
    const uint32_t before = state_.fetch_sub(1, std::memory_order_acq_rel);
    if ((before & (joined_mask | open_bit)) == 1) state_.notify_all();
  }
}

}  // namespace poplens::cpu
