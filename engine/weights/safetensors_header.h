// The JSON header of a safetensors file, checked for form; offsets are checked against the file by SafetensorsFile.
// Format: https://github.com/huggingface/safetensors#format
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace poplens {

struct SafetensorsEntry {
  std::string name;
  std::string dtype;           // as written: "F32", "BF16", ...
  std::vector<int64_t> shape;  // at most 16 numbers, none negative
  uint64_t begin = 0;          // half-open range of bytes after the header
  uint64_t end = 0;
};

// The entries in the header's order. Names are unique; `__metadata__` is checked (texts only) and left out. An error's
// message begins with `subject` ("model.safetensors: the header").
Result<std::vector<SafetensorsEntry>> parse_safetensors_header(std::string_view json, const std::string& subject);

}  // namespace poplens
