#include "engine/base/write_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <unistd.h>

namespace poplens {

Result<std::filesystem::path> file_to_write(const std::filesystem::path& path) {
  if (path.empty()) return Error{"a file to write to has no name"};
  std::error_code error;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  if (error) return Error{path.string() + ": cannot be written: " + error.message()};
  if (!target.has_filename() || std::filesystem::is_directory(target, error)) {
    return Error{path.string() + ": is a folder, not a file to write to"};
  }
  if (std::filesystem::exists(target, error) && !std::filesystem::is_regular_file(target, error)) {
    return Error{path.string() + ": is a device or a pipe, which no file can take the place of"};
  }
  return target;
}

Result<void> write_file(const std::filesystem::path& path, std::string_view content) {
  POPLENS_TRY(target, file_to_write(path));
  std::filesystem::path beside = target;
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
  if (std::fclose(file.release()) != 0 || std::rename(beside.c_str(), target.c_str()) != 0) return failed(errno);
  return {};
}

}  // namespace poplens
