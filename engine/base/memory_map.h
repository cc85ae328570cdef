// A whole file mapped read-only into memory; unmapped when the last copy of the value goes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "engine/base/result.h"

namespace poplens {

class MemoryMap {
 public:
  // Maps `path`. Fails with a sentence naming the file when it is missing, no regular file, empty or unreadable.
  static Result<MemoryMap> open(const std::filesystem::path& path);

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
};

}  // namespace poplens
