// NumPy's .npy files, version 1.0: float32, little-endian, C order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "engine/base/result.h"

namespace poplens::cli {

// Magic, lengths and dictionary of a file that holds `shape`: a multiple of 64 bytes.
std::string npy_header(std::span<const int64_t> shape);

// Writes `values`, as many as the product of `shape`. Fails with a sentence that names the file; what was half written
// is removed.
Result<void> write_npy(const std::filesystem::path& path, std::span<const int64_t> shape,
                       std::span<const float> values);

}  // namespace poplens::cli
