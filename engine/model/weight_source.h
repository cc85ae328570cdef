// Where a model's tensors come from: a checkpoint on disk, or random values in memory (to time a published size without
// its download).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/backend/tensor.h"
#include "engine/base/result.h"
#include "engine/weights/checkpoint.h"

namespace poplens {

struct HostMatrix {
  ConstMatrix view;
  std::shared_ptr<const void> owner;  // keeps the view's memory alive
};

class WeightSource {
 public:
  virtual ~WeightSource() = default;
  virtual bool has(std::string_view name) const = 0;
  // [rows, cols], as stored. Missing, or of another shape or an unsupported dtype: an error that names the tensor.
  virtual Result<HostMatrix> matrix(std::string_view name, int64_t rows, int64_t cols) const = 0;
  // [n], widened to f32.
  virtual Result<std::vector<float>> vector(std::string_view name, int64_t n) const = 0;
};

class CheckpointSource final : public WeightSource {
 public:
  explicit CheckpointSource(Checkpoint checkpoint) : checkpoint_(std::move(checkpoint)) {}
  bool has(std::string_view name) const override;
  Result<HostMatrix> matrix(std::string_view name, int64_t rows, int64_t cols) const override;
  Result<std::vector<float>> vector(std::string_view name, int64_t n) const override;
  const Checkpoint& checkpoint() const { return checkpoint_; }

 private:
  Checkpoint checkpoint_;
};

// Uniform random bf16 weights, small enough that activations stay tame through any number of layers; norm weights near
// 1. Every name exists but an output head of its own where `tied_head`.
class RandomSource final : public WeightSource {
 public:
  RandomSource(uint64_t seed, bool tied_head) : seed_(seed), tied_head_(tied_head) {}
  bool has(std::string_view name) const override;
  Result<HostMatrix> matrix(std::string_view name, int64_t rows, int64_t cols) const override;
  Result<std::vector<float>> vector(std::string_view name, int64_t n) const override;

 private:
  uint64_t seed_;
  bool tied_head_;
};

}  // namespace poplens
