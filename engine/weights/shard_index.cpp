#include "engine/weights/shard_index.h"

#include <algorithm>
#include <utility>

#include "engine/base/memory_map.h"
#include "engine/weights/json_events.h"
#include "engine/weights/message_text.h"

namespace poplens {

namespace {

constexpr size_t kMaxIndexBytes = 100'000'000;

// {"metadata": ..., "weight_map": {"tensor": "model-00001-of-00002.safetensors", ...}}
class IndexReader : public JsonEvents {
 public:
  bool has_weight_map() const { return has_weight_map_; }
  ShardIndex take_shards() { return std::move(shards_); }

 private:
  static constexpr int kRoot = 1, kWeightMap = 2;  // depths

  bool on_start(bool object) override {
    if (depth() == kRoot) return object || fail("is not a JSON object");
    if (!in_weight_map_) return true;
    if (depth() == kWeightMap) return object || fail("has a 'weight_map' that is no object");
    return no_file_name();
  }
  bool on_end() override { return true; }
  bool on_key(std::string& key) override {
    if (depth() == kRoot) {
      in_weight_map_ = key == "weight_map";
      if (in_weight_map_ && has_weight_map_) return fail("has two 'weight_map'");
      has_weight_map_ = has_weight_map_ || in_weight_map_;
    }
    tensor_ = std::move(key);
    return true;
  }
  bool on_string(std::string& value) override {
    if (!in_weight_map_ || depth() != kWeightMap) return other_scalar();
    if (!shards_.emplace(tensor_, std::move(value)).second) return fail("has tensor " + in_quotes(tensor_) + " twice");
    return true;
  }
  bool on_unsigned(uint64_t /*value*/) override { return other_scalar(); }
  bool other_scalar() override {
    if (depth() == 0) return fail("is not a JSON object");
    if (!in_weight_map_) return true;
    return depth() == kRoot ? fail("has a 'weight_map' that is no object") : no_file_name();
  }
  bool no_file_name() { return fail("gives no file name for tensor " + in_quotes(tensor_)); }

  ShardIndex shards_;
  std::string tensor_;  // the key read last
  bool in_weight_map_ = false;
  bool has_weight_map_ = false;
};

bool stays_inside(const std::string& file) {
  const bool has_control =
      std::any_of(file.begin(), file.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  const std::filesystem::path path(file);
  return !has_control && !path.filename().empty() && !path.is_absolute() &&
         std::none_of(path.begin(), path.end(), [](const std::filesystem::path& part) { return part == ".."; });
}

}  // namespace

Result<ShardIndex> read_shard_index(const std::filesystem::path& path) {
  POPLENS_TRY(map, MemoryMap::open(path));
  const auto bytes = map.bytes();
  if (bytes.size() > kMaxIndexBytes) {
    return Error{path.string() + ": the index is over the limit of " + std::to_string(kMaxIndexBytes) + " bytes"};
  }
  IndexReader reader;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  POPLENS_CHECK(read_json_events(text, path.string() + ": the index", reader));
  if (!reader.has_weight_map()) return Error{path.string() + ": the index has no 'weight_map'"};
  ShardIndex shards = reader.take_shards();
  for (const auto& [tensor, file] : shards) {
    if (!stays_inside(file)) {
      return Error{path.string() + ": tensor " + in_quotes(tensor) + " is said to be in " + in_quotes(file) +
                   ", which is no file of this folder"};
    }
  }
  return shards;
}

}  // namespace poplens
