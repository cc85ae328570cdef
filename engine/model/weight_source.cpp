#include "engine/model/weight_source.h"

#include <cmath>
#include <functional>
#include <new>

#include "engine/base/float_formats.h"

namespace poplens {

bool CheckpointSource::has(std::string_view name) const {
  return checkpoint_.find(name) != nullptr;
}

Result<HostMatrix> CheckpointSource::matrix(std::string_view name, int64_t rows, int64_t cols) const {
  POPLENS_TRY(view, checkpoint_.matrix(name, rows, cols));
  return HostMatrix{view, checkpoint_.owner()};
}

Result<std::vector<float>> CheckpointSource::vector(std::string_view name, int64_t n) const {
  return checkpoint_.vector(name, n);
}

namespace {

// splitmix64: fast, and good enough for weights that are only to be timed.
uint64_t next_random(uint64_t& state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

float centred(uint64_t bits) {
  return static_cast<float>(bits & 0xffff) / 32768.0F - 1.0F;
}

}  // namespace

bool RandomSource::has(std::string_view name) const {
  return !(tied_head_ && name.ends_with("lm_head.weight"));
}

Result<HostMatrix> RandomSource::matrix(std::string_view name, int64_t rows, int64_t cols) const {
  const int64_t count = rows * cols;
  std::shared_ptr<uint16_t[]> data(new (std::nothrow) uint16_t[static_cast<size_t>(count)]);
  if (!data) return Error{std::string(name) + ": no memory for " + std::to_string(2 * count) + " bytes"};
  uint64_t state = seed_ ^ std::hash<std::string_view>{}(name);
  const float scale = std::sqrt(3.0F / static_cast<float>(cols));
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const uint64_t bits = next_random(state);
    for (int lane = 0; lane < 4; ++lane) {
      data[static_cast<size_t>(i + lane)] = bf16_from_f32(scale * centred(bits >> (16 * lane)));
    }
  }
  for (; i < count; ++i) data[static_cast<size_t>(i)] = bf16_from_f32(scale * centred(next_random(state)));
  return HostMatrix{{data.get(), DType::bf16, rows, cols, cols}, std::shared_ptr<const void>(data, data.get())};
}

Result<std::vector<float>> RandomSource::vector(std::string_view name, int64_t n) const {
  uint64_t state = seed_ ^ std::hash<std::string_view>{}(name);
  const float centre = name.ends_with("bias") ? 0.0F : 1.0F;
  std::vector<float> values(static_cast<size_t>(n));
  for (float& value : values) value = centre + 0.05F * centred(next_random(state));
  return values;
}

}  // namespace poplens
