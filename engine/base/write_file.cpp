#include "engine/base/write_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <unistd.h>

namespace poplens {

Result<void> write_file(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::path beside = path;
  beside += ".new";
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(beside.c_str(), "wb"), &std::fclose);
  const auto failed = [&](int error) {
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
    return Error{path.string() + ": cannot be written: " + std::strerror(error)};
  };
  if (!file) return failed(errno);
  bool written = std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
  written = written && std::fflush(file.get()) == 0 && ::fsync(::fileno(file.get())) == 0;
  if (!written) return failed(errno);
  if (std::fclose(file.release()) != 0 || std::rename(beside.c_str(), path.c_str()) != 0) return failed(errno);
  return {};
}

}  // namespace poplens
