#include "engine/weights/safetensors.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "engine/weights/message_text.h"
#include "engine/weights/safetensors_header.h"

namespace poplens {

namespace {

constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kMaxHeaderBytes = 100'000'000;

struct FormatDType {
  std::string_view name;
  uint64_t bits;
  std::optional<DType> dtype;
};

constexpr auto kFormatDTypes = std::to_array<FormatDType>({
    {"F32", 32, DType::f32}, {"F16", 16, DType::f16}, {"BF16", 16, DType::bf16}, {"BOOL", 8, {}},
    {"F4", 4, {}},           {"F6_E2M3", 6, {}},      {"F6_E3M2", 6, {}},        {"U8", 8, {}},
    {"I8", 8, {}},           {"F8_E5M2", 8, {}},      {"F8_E4M3", 8, {}},        {"F8_E8M0", 8, {}},
    {"F8_E4M3FNUZ", 8, {}},  {"F8_E5M2FNUZ", 8, {}},  {"I16", 16, {}},           {"U16", 16, {}},
    {"I32", 32, {}},         {"U32", 32, {}},         {"C64", 64, {}},           {"F64", 64, {}},
    {"I64", 64, {}},         {"U64", 64, {}},
});

uint64_t little_endian_u64(std::span<const std::byte> bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < kLengthBytes; ++i) value |= std::to_integer<uint64_t>(bytes[i]) << (8 * i);
  return value;
}

// Bytes of a tensor of this shape; nothing if that overflows or is no whole number of bytes.
std::optional<uint64_t> byte_count(std::span<const int64_t> shape, uint64_t bits) {
  uint64_t total_bits = bits;
  for (const int64_t dim : shape) {
    if (__builtin_mul_overflow(total_bits, static_cast<uint64_t>(dim), &total_bits)) return std::nullopt;
  }
  if (total_bits % 8 != 0) return std::nullopt;
  return total_bits / 8;
}

std::string offsets_text(uint64_t begin, uint64_t end) {
  std::string text = "[";
  return text.append(std::to_string(begin)).append(", ").append(std::to_string(end)).append("]");
}

// `data`: what follows the header; `expected_begin`: where the tensor before ends.
Result<TensorInfo> check_entry(SafetensorsEntry entry, std::span<const std::byte> data, uint64_t expected_begin) {
  const std::string tensor = "tensor " + in_quotes(entry.name);
  const auto format = std::find_if(kFormatDTypes.begin(), kFormatDTypes.end(),
                                   [&](const FormatDType& candidate) { return candidate.name == entry.dtype; });
  if (format == kFormatDTypes.end()) return Error{tensor + " has the unknown dtype " + in_quotes(entry.dtype)};

  const std::string range = offsets_text(entry.begin, entry.end);
  if (entry.begin != expected_begin) {
    return Error{tensor + " has the data offsets " + range + " where the tensor before it ends at " +
                 std::to_string(expected_begin)};
  }
  if (entry.end < entry.begin) return Error{tensor + " has data offsets that run backwards: " + range};
  if (entry.end > data.size()) {
    return Error{tensor + " ends at byte " + std::to_string(entry.end) + " of the data, but the file has " +
                 std::to_string(data.size())};
  }
  const std::optional<uint64_t> bytes = byte_count(entry.shape, format->bits);
  if (!bytes) {
    return Error{tensor + " has a size that cannot be: shape " + shape_text(entry.shape) + " of " + entry.dtype};
  }
  if (*bytes != entry.end - entry.begin) {
    return Error{tensor + " has " + std::to_string(entry.end - entry.begin) + " bytes, but its shape " +
                 shape_text(entry.shape) + " of " + entry.dtype + " needs " + std::to_string(*bytes)};
  }
  return TensorInfo{std::move(entry.name), std::move(entry.dtype), format->dtype, std::move(entry.shape),
                    data.subspan(entry.begin, *bytes)};
}

}  // namespace

Result<SafetensorsFile> SafetensorsFile::open(const std::filesystem::path& path) {
  const std::string file = path.string() + ": ";
  POPLENS_TRY(map, MemoryMap::open(path));
  const std::span<const std::byte> bytes = map.bytes();
  if (bytes.size() < kLengthBytes) {
    return Error{file + "not a safetensors file: only " + std::to_string(bytes.size()) + " bytes long"};
  }
  const uint64_t header_bytes = little_endian_u64(bytes);
  if (header_bytes > kMaxHeaderBytes) {
    return Error{file + "the header length " + std::to_string(header_bytes) + " is over the limit of " +
                 std::to_string(kMaxHeaderBytes) + " bytes"};
  }
  if (header_bytes > bytes.size() - kLengthBytes) {
    return Error{file + "the header length " + std::to_string(header_bytes) + " is more than the " +
                 std::to_string(bytes.size() - kLengthBytes) + " bytes that follow"};
  }
  const std::string_view header(reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, header_bytes);
  const std::span<const std::byte> data = bytes.subspan(kLengthBytes + header_bytes);
  POPLENS_TRY(entries, parse_safetensors_header(header, file + "the header"));
  std::stable_sort(entries.begin(), entries.end(), [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });

  SafetensorsFile result;
  result.tensors_.reserve(entries.size());
  uint64_t end = 0;
  for (SafetensorsEntry& entry : entries) {
    const uint64_t entry_end = entry.end;
    auto tensor = check_entry(std::move(entry), data, end);
    if (!tensor) return Error{file + tensor.error().message};
    result.tensors_.push_back(std::move(tensor).value());
    end = entry_end;
  }
  if (end != data.size()) {
    return Error{file + "the tensors end at byte " + std::to_string(end) + " of the data, but the file has " +
                 std::to_string(data.size())};
  }

  result.path_ = path;
  result.map_ = std::move(map);
  result.by_name_.resize(result.tensors_.size());
  std::iota(result.by_name_.begin(), result.by_name_.end(), size_t{0});
  std::sort(result.by_name_.begin(), result.by_name_.end(),
            [&](size_t a, size_t b) { return result.tensors_[a].name < result.tensors_[b].name; });
  return result;
}

const TensorInfo* SafetensorsFile::find(std::string_view name) const {
  const auto found = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                      [&](size_t index, std::string_view key) { return tensors_[index].name < key; });
  if (found == by_name_.end() || tensors_[*found].name != name) return nullptr;
  return &tensors_[*found];
}

}  // namespace poplens
