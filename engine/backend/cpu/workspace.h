// The CPU backend's scratch memory: one piece shared by all threads and one for each, reserved once. Pages that are
// never touched cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/result.h"

namespace poplens::cpu {

// Zero-filled memory, 64-byte aligned; null where the system has none.
std::shared_ptr<void> allocate_zeroed(int64_t bytes);

class Workspace {
 public:
  static constexpr int64_t shared_bytes = int64_t{64} << 20;
  static constexpr int64_t thread_bytes = int64_t{4} << 20;

  static Result<Workspace> reserve(int threads);

  std::byte* shared() const { return static_cast<std::byte*>(shared_.get()); }
  std::byte* of_thread(int thread) const {
    return static_cast<std::byte*>(threads_[static_cast<size_t>(thread)].get());
  }

 private:
  std::shared_ptr<void> shared_;
  std::vector<std::shared_ptr<void>> threads_;
};

}  // namespace poplens::cpu
