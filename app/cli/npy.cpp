#include "app/cli/npy.h"

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace poplens::cli {

static_assert(std::endian::native == std::endian::little);

std::string npy_header(std::span<const int64_t> shape) {
  std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < shape.size(); ++i) dictionary += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  dictionary += shape.size() == 1 ? ",), }" : "), }";
  constexpr size_t kPrefix = 10;  // magic, version, length of the dictionary
  constexpr size_t kAlignment = 64;
  const size_t padding = kAlignment - (kPrefix + dictionary.size() + 1) % kAlignment;
  dictionary.append(padding % kAlignment, ' ');
  dictionary += '\n';

  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() & 0xff);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

Result<void> write_npy(const std::filesystem::path& path, std::span<const int64_t> shape,
                       std::span<const float> values) {
  const auto failed = [&](int error) { return Error{path.string() + ": cannot be written: " + std::strerror(error)}; };
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), &std::fclose);
  if (!file) return failed(errno);
  const std::string header = npy_header(shape);
  bool written = std::fwrite(header.data(), 1, header.size(), file.get()) == header.size();
  written = written && std::fwrite(values.data(), sizeof(float), values.size(), file.get()) == values.size();
  written = written && std::fflush(file.get()) == 0;
  const int error = errno;
  if (written && std::fclose(file.release()) == 0) return {};
  std::error_code status;
  if (std::filesystem::is_regular_file(path, status)) std::filesystem::remove(path, status);
  return failed(error);
}

}  // namespace poplens::cli
