// Qwen3-VL's vision tower: patches to soft tokens. Source: transformers models/qwen3_vl (Qwen3VLVisionModel).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/base/json_file.h"
#include "engine/model/device_weights.h"
#include "engine/session/image_encoder.h"
#include "vision/vit_block.h"

namespace poplens {

struct Qwen3VlVisionSpec {
  int depth = 0;
  int64_t hidden = 0;  // D
  int64_t intermediate = 0;
  int heads = 0;
  int patch_size = 0;
  int temporal_patch_size = 0;
  int merge_size = 0;                 // M: M * M patches become one soft token
  int position_side = 0;              // learnt positions are [position_side^2, D]
  int64_t out_hidden = 0;             // the decoder's hidden size
  std::vector<int> deepstack_blocks;  // ascending; the output of each gives one DeepStack feature

  int64_t patch_values() const { return int64_t{3} * temporal_patch_size * patch_size * patch_size; }
  int64_t merged_width() const { return hidden * merge_size * merge_size; }
};

// Reads config.json's vision_config and checks that it fits the decoder's hidden size.
Result<Qwen3VlVisionSpec> read_qwen3_vl_vision_spec(const JsonObject& vision_config, int64_t decoder_hidden);

struct Qwen3VlMergerWeights {
  LayerNormWeights norm;  // [D] for the main merger, [M * M * D] for DeepStack's
  LinearWeights fc1;      // [M*M*D, M*M*D]
  LinearWeights fc2;      // [out_hidden, M*M*D]
};

struct Qwen3VlTowerWeights {
  LinearWeights patch_embed;     // [D, 3 * T * P * P]
  std::vector<float> positions;  // [position_side^2, D], on the host
  std::vector<VitBlockWeights> blocks;
  Qwen3VlMergerWeights merger;
  std::vector<Qwen3VlMergerWeights> deepstack_mergers;
};

Result<Qwen3VlTowerWeights> load_qwen3_vl_tower(const Qwen3VlVisionSpec& spec, const WeightSource& source,
                                                Backend& backend);

// Fills `out` ([count, patch_values] f32) with the patches [first, first + count).
using PatchReader = std::function<void(int64_t first, int64_t count, std::span<float> out)>;

class Qwen3VlTower {
 public:
  Qwen3VlTower(Qwen3VlVisionSpec spec, Qwen3VlTowerWeights weights, std::shared_ptr<Backend> backend,
               DType activations);

  const Qwen3VlVisionSpec& spec() const { return spec_; }
  // Bytes that a picture of `patches` patches needs at the most, features included. Linear in `patches`.
  int64_t workspace_bytes(int64_t patches) const;

  // What one block's attention takes from the patches of `rows` soft tokens to those of `tokens`, in ms.
  Result<double> attention_ms(int64_t rows, int64_t tokens) const {
    const int64_t patches = int64_t{spec_.merge_size} * spec_.merge_size;
    return time_vit_attention(*backend_, shape_, activations_, rows * patches, tokens * patches);
  }

  // Encodes one picture of grid_h x grid_w patches (in merge-block order, as the processor gives them).
  // on_block(i, x) is called with the residual stream x [patches, D] f32 before block i (i = 0: the embedded patches)
  // and after the last (i = depth). A stop takes effect within one block.
  Result<PictureFeatures> run(const PatchReader& patches, int grid_h, int grid_w,
                              const std::function<void(int, ConstMatrix)>& on_block, const std::stop_token& stop) const;

 private:
  void embed(const PatchReader& patches, int grid_h, int grid_w, VitWorkspace& work) const;
  void load_rope(int grid_h, int grid_w, VitWorkspace& work) const;
  Result<DeviceArray> merge(const Qwen3VlMergerWeights& merger, bool norm_after_merge, VitWorkspace& work) const;

  Qwen3VlVisionSpec spec_;
  VitShape shape_;
  Qwen3VlTowerWeights weights_;
  std::shared_ptr<Backend> backend_;
  DType activations_;
};

}  // namespace poplens
