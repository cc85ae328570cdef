// One safetensors file, memory-mapped: named tensors that lie where the file has them, nothing copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/backend/tensor.h"
#include "engine/base/memory_map.h"
#include "engine/base/result.h"

namespace poplens {

struct TensorInfo {
  std::string name;
  std::string dtype_name;            // as the file spells it: "BF16"
  std::optional<DType> dtype;        // none: the file may hold it, we can't use it
  std::vector<int64_t> shape;        // outermost dimension first; empty: a single value
  std::span<const std::byte> bytes;  // dense, row-major, little-endian; perhaps not aligned to the element size
};

// A copy shares the mapping. TensorInfos and their bytes live as long as the file or any copy of it that gave them.
class SafetensorsFile {
 public:
  // Maps and validates `path` as the reference implementation does (and refuses duplicate keys as its specification
  // asks): a header of at most 100,000,000 bytes; known dtypes; offsets in order, without hole or overlap, of exactly
  // the bytes that shape and dtype need, ending where the file ends. Errors name the file and the tensor.
  static Result<SafetensorsFile> open(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  // In file order.
  const std::vector<TensorInfo>& tensors() const { return tensors_; }
  // Null if there is none of exactly this name.
  const TensorInfo* find(std::string_view name) const;

 private:
  std::filesystem::path path_;
  MemoryMap map_;
  std::vector<TensorInfo> tensors_;
  std::vector<size_t> by_name_;  // indices into tensors_, sorted by name
};

}  // namespace poplens
