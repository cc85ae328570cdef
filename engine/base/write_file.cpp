#include "engine/base/write_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace poplens {
namespace {

struct OpenFile {
  std::filesystem::path path;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{nullptr, &std::fclose};
};

// A new file beside `target`, with the rights that it has where it is there already. Nobody's file is taken: what an
// ended run or another one has left under the first names stays. errno says why there is none.
OpenFile open_beside(const std::filesystem::path& target) {
  constexpr int kMostNames = 1000;
  constexpr mode_t kUsualRights = 0666;
  for (int i = 0; i < kMostNames; ++i) {
    OpenFile beside{.path = target};
    beside.path += ".new" + (i == 0 ? std::string() : std::to_string(i));
    const int file = ::open(beside.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kUsualRights);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) break;
    struct stat before {};
    if (::stat(target.c_str(), &before) == 0) ::fchmod(file, before.st_mode & 07777);
    beside.file.reset(::fdopen(file, "wb"));
    return beside;
  }
  return {};
}

}  // namespace

Result<std::filesystem::path> file_to_write(const std::filesystem::path& path) {
  if (path.empty()) return Error{"a file to write to has no name"};
  std::error_code error;
  std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  // A link to what is not there yet ends the canonical part of a path.
  constexpr int kMostLinks = 40;
  for (int links = 0; !error && std::filesystem::is_symlink(target, error); ++links) {
    if (links == kMostLinks) return Error{path.string() + ": cannot be written: too many links"};
    const std::filesystem::path next = std::filesystem::read_symlink(target, error);
    if (!error) target = std::filesystem::weakly_canonical(target.parent_path() / next, error);
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return Error{path.string() + ": cannot be written: " + error.message()};
  }
  if (!target.has_filename() || std::filesystem::is_directory(target, error)) {
    return Error{path.string() + ": is a folder, not a file to write to"};
  }
  if (std::filesystem::exists(target, error) && !std::filesystem::is_regular_file(target, error)) {
    return Error{path.string() + ": is a device or a pipe, which no file can take the place of"};
  }
  if (std::filesystem::exists(target, error) && ::access(target.c_str(), W_OK) != 0) {
    return Error{path.string() + ": cannot be written: " + std::strerror(errno)};
  }
  return target;
}

Result<void> write_file(const std::filesystem::path& path, std::string_view content) {
  POPLENS_TRY(target, file_to_write(path));
  auto [beside, file] = open_beside(target);
  const auto failed = [&, &beside = beside](int error) {
    std::error_code ignored;
    if (!beside.empty()) std::filesystem::remove(beside, ignored);
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
