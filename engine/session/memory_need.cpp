#include "engine/session/memory_need.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>

#include <sys/resource.h>

namespace poplens {
namespace {

constexpr int64_t kKibibyte = 1024;

int64_t meminfo_available() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::string unit;
  int64_t kibibytes = 0;
  while (file >> key >> kibibytes) {
    std::getline(file, unit);
    if (key == "MemAvailable:") return kibibytes * kKibibyte;
  }
  return std::numeric_limits<int64_t>::max();
}

// A number, or nothing where the file is missing or says "max".
int64_t read_number(const char* path, int64_t fallback) {
  std::ifstream file(path);
  int64_t value = 0;
  return file >> value ? value : fallback;
}

// Pages of files that the control group counts but gives back when asked, mapped weights among them.
int64_t reclaimable_file_bytes() {
  std::ifstream file("/sys/fs/cgroup/memory.stat");
  std::string key;
  int64_t bytes = 0;
  while (file >> key >> bytes) {
    if (key == "file") return bytes;
  }
  return 0;
}

}  // namespace

int64_t available_memory_bytes() {
  constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  const int64_t limit = read_number("/sys/fs/cgroup/memory.max", kNone);
  int64_t available = meminfo_available();
  if (limit != kNone)
    available = std::min(available, limit - read_number("/sys/fs/cgroup/memory.current", 0) + reclaimable_file_bytes());
  return std::max<int64_t>(available, 0);
}

int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * kKibibyte;
}

std::string format_bytes(int64_t bytes) {
  char text[32];
  if (bytes >= 1'000'000'000) {
    std::snprintf(text, sizeof text, "%.1f GB", static_cast<double>(bytes) / 1e9);
  } else {
    std::snprintf(text, sizeof text, "%.1f MB", static_cast<double>(bytes) / 1e6);
  }
  return text;
}

Result<void> check_memory(const std::string& purpose, int64_t bytes, int64_t available) {
  if (bytes <= available) return {};
  return Error{"not enough memory: " + purpose + " needs " + format_bytes(bytes) + ", " + format_bytes(available) +
               " are free"};
}

}  // namespace poplens
