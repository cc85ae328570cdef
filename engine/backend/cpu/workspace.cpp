#include "engine/backend/cpu/workspace.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include <sys/mman.h>

namespace poplens::cpu {

std::shared_ptr<void> allocate_zeroed(int64_t bytes) {
  constexpr size_t alignment = 64, huge_page = size_t{2} << 20;
  const auto size = static_cast<size_t>(bytes);
#ifdef __SANITIZE_ADDRESS__
  constexpr bool in_pages = false;  // the sanitizer watches the edges of what malloc gives
#else
  constexpr bool in_pages = true;
#endif
  if (size < huge_page || !in_pages) {
    const size_t whole = (size / alignment + 1) * alignment;
    void* small = std::aligned_alloc(alignment, whole);
    if (small == nullptr) return nullptr;
    std::memset(small, 0, whole);
    return std::shared_ptr<void>(small, std::free);
  }
  // Address space beyond the size is never touched; it lets the memory begin where a huge page can.
  const size_t reserved = size + huge_page;
  void* pages = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  size_t room = reserved;
  void* begin = pages;
  std::align(huge_page, size, begin, room);
  madvise(begin, size, MADV_HUGEPAGE);  // only advice: a refusal changes nothing
  return std::shared_ptr<void>(begin, [pages, reserved](void*) { munmap(pages, reserved); });
}

Result<Workspace> Workspace::reserve(int threads) {
  Workspace workspace;
  workspace.shared_ = allocate_zeroed(shared_bytes);
  bool complete = workspace.shared_ != nullptr;
  for (int i = 0; i < threads && complete; ++i) {
    workspace.threads_.push_back(allocate_zeroed(thread_bytes));
    complete = workspace.threads_.back() != nullptr;
  }
  if (complete) return workspace;
  const int64_t wanted = (shared_bytes + threads * thread_bytes) >> 20;
  return Error{"the CPU backend needs " + std::to_string(wanted) + " MiB of scratch memory for " +
               std::to_string(threads) + " threads, which the system does not give"};
}

}  // namespace poplens::cpu
