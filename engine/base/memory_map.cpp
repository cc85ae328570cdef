#include "engine/base/memory_map.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace poplens {

Result<MemoryMap> MemoryMap::open(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return Error{path.string() + ": " + std::strerror(errno)};
  struct Closer {
    int descriptor;
    ~Closer() { ::close(descriptor); }
  } closer{descriptor};

  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return Error{path.string() + ": " + std::strerror(errno)};
  if (!S_ISREG(status.st_mode)) return Error{path.string() + ": not a regular file"};
  if (status.st_size == 0) return Error{path.string() + ": the file is empty"};

  const auto size = static_cast<size_t>(status.st_size);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) return Error{path.string() + ": cannot be mapped: " + std::strerror(errno)};

  MemoryMap map;
  map.owner_ = std::shared_ptr<const void>(address, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
  map.bytes_ = {static_cast<const std::byte*>(address), size};
  return map;
}

}  // namespace poplens
