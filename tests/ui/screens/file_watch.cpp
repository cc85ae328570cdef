#include "tests/ui/screens/file_watch.h"

#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include <cxxabi.h>
#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

// Interposed functions have no object that they belong to.
struct Watched {
  std::atomic<pid_t> thread{0};
  std::atomic<int> others{0};
  std::mutex mutex;
  std::vector<std::string> calls;
};
Watched g_watched;
thread_local bool t_inside = false;

// What the desktop's libraries read for themselves: fonts, themes, plug-ins, locales, devices.
bool belongs_to_the_system(const std::string& path) {
  if (path.empty() || path[0] != '/') return false;
  constexpr std::array kPlaces = {"/usr/share/", "/usr/lib/", "/lib/", "/etc/", "/dev/", "/var/cache/fontconfig"};
  for (const char* place : kPlaces) {
    if (path.rfind(place, 0) == 0) return true;
  }
  // Fontconfig looks for caches and fonts of a person's own.
  return path.find("/fontconfig") != std::string::npos || path.find("/fonts") != std::string::npos ||
         path.find("/.fonts") != std::string::npos;
}

// "poplens::ui::Chat::send()" of what backtrace_symbols() says.
std::string readable(const char* frame) {
  const char* name = std::strchr(frame, '(');
  const char* end = name == nullptr ? nullptr : std::strchr(name, '+');
  if (end == nullptr || end == name + 1) return frame;
  const std::string mangled(name + 1, end);
  int status = 0;
  char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  std::string result = text != nullptr ? text : mangled;
  std::free(text);
  return result;
}

std::string callers() {
  constexpr int kMost = 40;
  std::array<void*, kMost> frames{};
  const int count = backtrace(frames.data(), kMost);
  char** symbols = backtrace_symbols(frames.data(), count);
  std::string text;
  // The first three are this file's.
  for (int i = 3; symbols != nullptr && i < count; ++i) text += "\n    " + readable(symbols[i]);
  std::free(symbols);
  return text;
}

void note(const char* call, const char* path) {
  const pid_t watched = g_watched.thread.load();
  // Without a path it is about a file that is open.
  if (watched == 0 || t_inside || path == nullptr || *path == '\0') return;
  if (gettid() != watched) {
    ++g_watched.others;
    return;
  }
  if (belongs_to_the_system(path)) return;
  t_inside = true;
  std::string line = std::string(call) + " " + path + callers();
  const std::scoped_lock lock(g_watched.mutex);
  g_watched.calls.push_back(std::move(line));
  t_inside = false;
}

// Reading and writing what is open already; pipes, sockets and events are no files.
void note_descriptor(const char* call, int descriptor) {
  if (g_watched.thread.load() == 0 || t_inside) return;
  struct stat about {};
  if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) return;
  std::array<char, PATH_MAX> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  t_inside = true;
  const ssize_t length = readlink(link.c_str(), path.data(), path.size() - 1);
  t_inside = false;
  note(call, length > 0 ? path.data() : link.c_str());
}

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

namespace poplens::test {

FileWatch::FileWatch() {
  const std::scoped_lock lock(g_watched.mutex);
  g_watched.calls.clear();
  g_watched.others = 0;
  g_watched.thread = gettid();
}

FileWatch::~FileWatch() {
  g_watched.thread = 0;
}

QStringList FileWatch::calls() const {
  const std::scoped_lock lock(g_watched.mutex);
  QStringList list;
  for (const std::string& call : g_watched.calls) list.append(QString::fromStdString(call));
  return list;
}

int FileWatch::calls_of_others() const {
  return g_watched.others;
}

}  // namespace poplens::test

// The C library's functions, by which files are reached.
#define POPLENS_OPEN(NAME)                                                \
  extern "C" int NAME(const char* path, int flags, ...) {                 \
    static const auto real = next<int (*)(const char*, int, ...)>(#NAME); \
    va_list arguments;                                                    \
    va_start(arguments, flags);                                           \
    const mode_t mode = mode_of(flags, arguments);                        \
    va_end(arguments);                                                    \
    note(#NAME, path);                                                    \
    return real(path, flags, mode);                                       \
  }
#define POPLENS_OPENAT(NAME)                                                   \
  extern "C" int NAME(int folder, const char* path, int flags, ...) {          \
    static const auto real = next<int (*)(int, const char*, int, ...)>(#NAME); \
    va_list arguments;                                                         \
    va_start(arguments, flags);                                                \
    const mode_t mode = mode_of(flags, arguments);                             \
    va_end(arguments);                                                         \
    note(#NAME, path);                                                         \
    return real(folder, path, flags, mode);                                    \
  }
#define POPLENS_WITH_PATH(RESULT, NAME, PARAMETERS, ARGUMENTS)  \
  extern "C" RESULT NAME PARAMETERS {                           \
    static const auto real = next<RESULT(*) PARAMETERS>(#NAME); \
    note(#NAME, path);                                          \
    return real ARGUMENTS;                                      \
  }
#define POPLENS_WITH_DESCRIPTOR(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  extern "C" RESULT NAME PARAMETERS {                                \
    static const auto real = next<RESULT(*) PARAMETERS>(#NAME);      \
    note_descriptor(#NAME, descriptor);                              \
    return real ARGUMENTS;                                           \
  }

#undef open
#undef open64
POPLENS_OPEN(open)
POPLENS_OPEN(open64)
POPLENS_OPENAT(openat)
POPLENS_OPENAT(openat64)
POPLENS_WITH_PATH(FILE*, fopen, (const char* path, const char* mode), (path, mode))
POPLENS_WITH_PATH(FILE*, fopen64, (const char* path, const char* mode), (path, mode))
POPLENS_WITH_PATH(DIR*, opendir, (const char* path), (path))
POPLENS_WITH_PATH(int, stat, (const char* path, struct stat* result) noexcept, (path, result))
POPLENS_WITH_PATH(int, stat64, (const char* path, struct stat64* result) noexcept, (path, result))
POPLENS_WITH_PATH(int, lstat, (const char* path, struct stat* result) noexcept, (path, result))
POPLENS_WITH_PATH(int, lstat64, (const char* path, struct stat64* result) noexcept, (path, result))
POPLENS_WITH_PATH(int, statx, (int folder, const char* path, int flags, unsigned mask, struct statx* result) noexcept,
                  (folder, path, flags, mask, result))
POPLENS_WITH_PATH(int, access, (const char* path, int mode) noexcept, (path, mode))
POPLENS_WITH_PATH(int, rename, (const char* path, const char* target) noexcept, (path, target))
POPLENS_WITH_PATH(int, unlink, (const char* path) noexcept, (path))
POPLENS_WITH_PATH(int, mkdir, (const char* path, mode_t mode) noexcept, (path, mode))
POPLENS_WITH_DESCRIPTOR(ssize_t, read, (int descriptor, void* bytes, size_t count), (descriptor, bytes, count))
POPLENS_WITH_DESCRIPTOR(ssize_t, write, (int descriptor, const void* bytes, size_t count), (descriptor, bytes, count))
POPLENS_WITH_DESCRIPTOR(ssize_t, pread64, (int descriptor, void* bytes, size_t count, off64_t place),
                        (descriptor, bytes, count, place))
POPLENS_WITH_DESCRIPTOR(ssize_t, pwrite64, (int descriptor, const void* bytes, size_t count, off64_t place),
                        (descriptor, bytes, count, place))
POPLENS_WITH_DESCRIPTOR(int, fsync, (int descriptor), (descriptor))
POPLENS_WITH_DESCRIPTOR(int, fdatasync, (int descriptor), (descriptor))
