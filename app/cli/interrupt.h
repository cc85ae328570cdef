// Ctrl-C as a request to stop. The second one ends the program at once.
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace poplens::cli {

// Takes SIGINT and SIGTERM for as long as it lives. Threads started later inherit the blocked signals, so make it
// before any other thread.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  void wait_for_signals();

  std::stop_source source_;
  std::atomic<bool> done_{false};
  std::thread waiter_;
};

}  // namespace poplens::cli
