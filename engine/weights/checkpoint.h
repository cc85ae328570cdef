// The weights of a Hugging Face folder: model.safetensors, or else the shards of model.safetensors.index.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/backend/tensor.h"
#include "engine/base/result.h"
#include "engine/weights/safetensors.h"

namespace poplens {

// Copies share the mapped files. Everything handed out (tensors, matrices) lives as long as the checkpoint, a copy of
// it, or owner(). May be used by several threads at once.
class Checkpoint {
 public:
  // Maps and validates every file. Fails if the index names a tensor that its shard lacks, or if a tensor is in two
  // shards.
  static Result<Checkpoint> open(const std::filesystem::path& folder);

  // Null if there is none of exactly this name.
  const TensorInfo* find(std::string_view name) const;

  // The tensor as a matrix [rows, cols], zero copy (a tensor that the file does not align to its element size is copied
  // once). A tensor of more dimensions (a convolution's kernel) fits when the first is `rows` and the product of the
  // others `cols`. Fails by name if the tensor is missing, of an unsupported dtype, or of another shape.
  Result<ConstMatrix> matrix(std::string_view name, int64_t rows, int64_t cols) const;
  // The tensor [n], widened to f32. Fails likewise.
  Result<std::vector<float>> vector(std::string_view name, int64_t n) const;

  // Keeps the memory of all matrices alive.
  std::shared_ptr<const void> owner() const;
  // In file order, shard by shard.
  std::vector<std::string> names() const;
  // Of all tensors.
  int64_t total_bytes() const;

 private:
  struct Store;
  struct Found;
  Result<Found> supported(std::string_view name) const;

  std::shared_ptr<Store> store_;
};

}  // namespace poplens
