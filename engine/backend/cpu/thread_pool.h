// The CPU backend's threads. One job at a time: the calling thread and the workers take pieces of it until none is
// left. Workers wait for the next job by spinning for a moment only and sleep then, and nobody waits for a worker that
// has not begun: a machine that is busy with other work slows a job down by its share and no more.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace poplens::cpu {

class ThreadPool {
 public:
  // `threads` counts the caller: threads - 1 workers are started (none for threads <= 1). Throws std::system_error
  // where the system gives no thread.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls body(begin, end, thread) for disjoint pieces of at most `grain` items that cover [0, count), in rising order
  // of begin, and returns when all are done. `thread` in [0, size()) tells who runs the piece (0: the caller); which
  // thread gets which piece is chance, so results may not depend on it. Not to be called from inside a body.
  template <typename Body>
  void parallel_for(int64_t count, int64_t grain, const Body& body) {
    static_assert(std::is_invocable_v<const Body&, int64_t, int64_t, int>);
    run(count, grain, &body, [](const void* context, int64_t begin, int64_t end, int thread) {
      (*static_cast<const Body*>(context))(begin, end, thread);
    });
  }

 private:
  using Call = void (*)(const void* context, int64_t begin, int64_t end, int thread);

  void run(int64_t count, int64_t grain, const void* context, Call call);
  void work(int thread);
  void take_pieces(int thread);

  // The job, written by the caller while state_ says closed and nobody has joined.
  int64_t count_ = 0;
  int64_t grain_ = 1;
  const void* context_ = nullptr;
  Call call_ = nullptr;
  alignas(64) std::atomic<int64_t> next_{0};

  // Bits 0-11: workers inside the job; bit 12: open, workers may join; bits 13-31: the job's number.
  alignas(64) std::atomic<uint32_t> state_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::thread> workers_;
};

}  // namespace poplens::cpu
