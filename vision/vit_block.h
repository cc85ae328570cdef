// The pre-norm transformer block that the vision towers share, and the memory it works in.
#pragma once

#include <string>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/model/device_weights.h"

namespace poplens {

// A linear layer with bias.
struct LinearWeights {
  DeviceMatrix weight;  // [out, in]
  DeviceVector bias;    // [out]
};

struct LayerNormWeights {
  DeviceVector weight, bias;  // [width]
};

// x += proj(attention(norm1(x))); x += fc2(gelu_tanh(fc1(norm2(x)))).
struct VitBlockWeights {
  LayerNormWeights norm1, norm2;   // [D]
  std::vector<LinearWeights> qkv;  // one [3D, D] (queries, keys, values), or three [D, D]
  LinearWeights proj;              // [D, D]
  LinearWeights fc1;               // [intermediate, D]
  LinearWeights fc2;               // [D, intermediate]
};

struct VitShape {
  int64_t hidden = 0;  // D
  int64_t intermediate = 0;
  int64_t patch_values = 0;  // inputs of the patch embedding
  int heads = 0;
  float norm_eps = 0.0F;
  int head_dim() const { return static_cast<int>(hidden / heads); }
};

// Patches that go through patch embedding and MLP at once: bounds the memory that does not stay.
inline constexpr int64_t kVitBlockRows = 2048;

struct VitWorkspace {
  int64_t patches = 0;
  DeviceArray residual;  // [patches, D] f32
  DeviceArray normed;    // [patches, D]; holds attention's output too
  DeviceArray qkv;       // [patches, 3D]
  DeviceArray wide;      // [at most kVitBlockRows, the widest of intermediate, patch_values and D]
  DeviceArray cos, sin;  // [patches, head_dim / 2] f32, only with rotation
  std::vector<KeyRange> ranges;

  static int64_t bytes(const VitShape& shape, DType activations, int64_t patches, bool rotated);
  static Result<VitWorkspace> reserve(Backend& backend, const VitShape& shape, DType activations, int64_t patches,
                                      bool rotated);
};

void run_vit_block(Backend& backend, const VitShape& shape, const VitBlockWeights& block, VitWorkspace& work);

// What a block's attention takes from `rows` patches to all of `patches`: the quickest of a few runs on made-up values.
Result<double> time_vit_attention(Backend& backend, const VitShape& shape, DType activations, int64_t rows,
                                  int64_t patches);

// Checks that `hidden` splits into `heads` heads that the engine can run; `where` names the config for the error.
Result<void> check_vit_heads(const std::string& where, int64_t hidden, int64_t heads);

// Reads weights whose names begin with a prefix.
class VitLoader {
 public:
  VitLoader(const WeightSource& source, Backend& backend, std::string prefix)
      : source_(source), backend_(backend), prefix_(std::move(prefix)) {}

  Result<LinearWeights> linear(const std::string& name, int64_t out, int64_t in) const;
  Result<LayerNormWeights> norm(const std::string& name, int64_t width) const;
  // A table that is used on the host: [rows, width] in f32.
  Result<std::vector<float>> table(const std::string& name, int64_t rows, int64_t width) const;

 private:
  const WeightSource& source_;
  Backend& backend_;
  std::string prefix_;
};

}  // namespace poplens
