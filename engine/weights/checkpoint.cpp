#include "engine/weights/checkpoint.h"

#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "engine/base/float_formats.h"
#include "engine/weights/message_text.h"
#include "engine/weights/shard_index.h"

namespace poplens {

namespace {

constexpr const char* kSingleFile = "model.safetensors";
constexpr const char* kIndexFile = "model.safetensors.index.json";

struct Location {
  size_t file = 0;
  const TensorInfo* tensor = nullptr;
};

bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

// The product of all dimensions from `first` on. No overflow: the file's own size check covers the whole shape; but a
// zero further out may hide a product that does not fit, and then there is none.
std::optional<int64_t> product(std::span<const int64_t> shape) {
  int64_t total = 1;
  for (const int64_t dim : shape) {
    if (__builtin_mul_overflow(total, dim, &total)) return std::nullopt;
  }
  return total;
}

bool fits(std::span<const int64_t> shape, int64_t rows, int64_t cols) {
  return shape.size() >= 2 && shape[0] == rows && product(shape.subspan(1)) == cols;
}

std::string wrong_shape(std::span<const int64_t> has, std::span<const int64_t> asked) {
  return " has shape " + shape_text(has) + ", the config asks for " + shape_text(asked);
}

template <typename Bits>
Bits load(std::span<const std::byte> bytes, int64_t index) {
  Bits bits;
  std::memcpy(&bits, bytes.data() + static_cast<size_t>(index) * sizeof(Bits), sizeof(Bits));
  return bits;
}

float load_f32(std::span<const std::byte> bytes, DType dtype, int64_t index) {
  switch (dtype) {
    case DType::f16:
      return f32_from_f16(load<uint16_t>(bytes, index));
    case DType::bf16:
      return f32_from_bf16(load<uint16_t>(bytes, index));
    case DType::f32:
      break;
  }
  return load<float>(bytes, index);
}

}  // namespace

struct Checkpoint::Store {
  std::filesystem::path folder;
  std::vector<SafetensorsFile> files;
  std::map<std::string_view, Location> tensors;  // views into the files' own names
  int64_t total_bytes = 0;

  std::mutex mutex;                                                // guards aligned_copies
  std::map<const TensorInfo*, std::vector<float>> aligned_copies;  // float for the alignment only

  Result<void> add(SafetensorsFile file) {
    files.push_back(std::move(file));
    for (const TensorInfo& tensor : files.back().tensors()) {
      const auto [place, is_new] = tensors.emplace(tensor.name, Location{files.size() - 1, &tensor});
      if (!is_new) {
        return Error{folder.string() + ": tensor " + in_quotes(tensor.name) + " is in two files, " +
                     file_name(place->second.file) + " and " + file_name(files.size() - 1)};
      }
      total_bytes += static_cast<int64_t>(tensor.bytes.size());
    }
    return {};
  }

  std::string file_name(size_t file) const { return files[file].path().filename().string(); }

  const void* aligned(const TensorInfo& tensor, DType dtype) {
    const void* data = tensor.bytes.data();
    if (reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(size_of(dtype)) == 0) return data;
    const std::lock_guard lock(mutex);
    auto [copy, is_new] = aligned_copies.try_emplace(&tensor);
    if (is_new) {
      copy->second.resize((tensor.bytes.size() + sizeof(float) - 1) / sizeof(float));
      std::memcpy(copy->second.data(), data, tensor.bytes.size());
    }
    return copy->second.data();
  }
};

struct Checkpoint::Found {
  const TensorInfo* tensor;
  DType dtype;
  std::string description;  // "model.safetensors: tensor 'x'"
};

Result<Checkpoint> Checkpoint::open(const std::filesystem::path& folder) {
  auto store = std::make_shared<Store>();
  store->folder = folder;
  // The order of transformers: a single file wins over an index.
  if (is_there(folder / kSingleFile)) {
    POPLENS_TRY(file, SafetensorsFile::open(folder / kSingleFile));
    POPLENS_CHECK(store->add(std::move(file)));
  } else if (is_there(folder / kIndexFile)) {
    POPLENS_TRY(index, read_shard_index(folder / kIndexFile));
    std::set<std::string> shards;
    for (const auto& [tensor, shard] : index) shards.insert(shard);
    store->files.reserve(shards.size());
    for (const std::string& shard : shards) {
      POPLENS_TRY(file, SafetensorsFile::open(folder / shard));
      POPLENS_CHECK(store->add(std::move(file)));
    }
    for (const auto& [tensor, shard] : index) {
      const auto place = store->tensors.find(tensor);
      if (place == store->tensors.end() || store->files[place->second.file].path() != folder / shard) {
        return Error{(folder / kIndexFile).string() + ": tensor " + in_quotes(tensor) + " is said to be in " +
                     in_quotes(shard) + ", which does not have it"};
      }
    }
  } else {
    return Error{folder.string() + ": there is neither " + kSingleFile + " nor " + kIndexFile};
  }
  Checkpoint checkpoint;
  checkpoint.store_ = std::move(store);
  return checkpoint;
}

const TensorInfo* Checkpoint::find(std::string_view name) const {
  const auto place = store_->tensors.find(name);
  return place == store_->tensors.end() ? nullptr : place->second.tensor;
}

Result<Checkpoint::Found> Checkpoint::supported(std::string_view name) const {
  const auto place = store_->tensors.find(name);
  if (place == store_->tensors.end()) {
    return Error{store_->folder.string() + ": tensor " + in_quotes(name) + " is missing"};
  }
  const TensorInfo& tensor = *place->second.tensor;
  std::string description = store_->file_name(place->second.file) + ": tensor " + in_quotes(name);
  if (!tensor.dtype) {
    return Error{description + " has the unsupported dtype " + tensor.dtype_name +
                 " (F32, F16 and BF16 are supported)"};
  }
  return Found{&tensor, *tensor.dtype, std::move(description)};
}

Result<ConstMatrix> Checkpoint::matrix(std::string_view name, int64_t rows, int64_t cols) const {
  POPLENS_TRY(found, supported(name));
  if (!fits(found.tensor->shape, rows, cols)) {
    return Error{found.description + wrong_shape(found.tensor->shape, std::vector<int64_t>{rows, cols})};
  }
  return ConstMatrix{store_->aligned(*found.tensor, found.dtype), found.dtype, rows, cols, cols};
}

Result<std::vector<float>> Checkpoint::vector(std::string_view name, int64_t n) const {
  POPLENS_TRY(found, supported(name));
  const std::vector<int64_t>& shape = found.tensor->shape;
  if (shape.size() != 1 || shape[0] != n) {
    return Error{found.description + wrong_shape(shape, std::vector<int64_t>{n})};
  }
  std::vector<float> values(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) values[static_cast<size_t>(i)] = load_f32(found.tensor->bytes, found.dtype, i);
  return values;
}

std::shared_ptr<const void> Checkpoint::owner() const {
  return store_;
}

std::vector<std::string> Checkpoint::names() const {
  std::vector<std::string> all;
  all.reserve(store_->tensors.size());
  for (const SafetensorsFile& file : store_->files) {
    for (const TensorInfo& tensor : file.tensors()) all.push_back(tensor.name);
  }
  return all;
}

int64_t Checkpoint::total_bytes() const {
  return store_->total_bytes;
}

}  // namespace poplens
