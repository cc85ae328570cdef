// Gemma-3's vision tower (SigLIP) and its projector: patches to soft tokens. Source: transformers models/siglip and
// models/gemma3 (Gemma3MultiModalProjector).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/base/json_file.h"
#include "engine/session/image_encoder.h"
#include "vision/qwen3_vl_tower.h"
#include "vision/vit_block.h"

namespace poplens {

struct SiglipSpec {
  int depth = 0;
  int64_t hidden = 0;  // D
  int64_t intermediate = 0;
  int heads = 0;
  int image_size = 0;  // pixels a side; every picture is brought to it
  int patch_size = 0;
  int tokens_side = 0;     // soft tokens a side: patches are averaged over squares
  int64_t out_hidden = 0;  // the decoder's hidden size
  float norm_eps = 0.0F;

  int patches_side() const { return image_size / patch_size; }
  int64_t patches() const { return int64_t{patches_side()} * patches_side(); }
  int64_t soft_tokens() const { return int64_t{tokens_side} * tokens_side; }
  int64_t patch_values() const { return int64_t{3} * patch_size * patch_size; }
};

// Reads config.json's vision_config (with "mm_tokens_per_image" from the level above).
Result<SiglipSpec> read_siglip_spec(const JsonObject& vision_config, int64_t decoder_hidden);

struct SiglipWeights {
  LinearWeights patch_embed;     // [D, 3 * P * P]
  std::vector<float> positions;  // [patches, D], on the host
  std::vector<VitBlockWeights> blocks;
  LayerNormWeights post_norm;
  DeviceVector soft_norm;   // [D], RMS
  DeviceMatrix projection;  // [out_hidden, D]
};

Result<SiglipWeights> load_siglip(const SiglipSpec& spec, const WeightSource& source, Backend& backend);

class SiglipTower {
 public:
  SiglipTower(SiglipSpec spec, SiglipWeights weights, std::shared_ptr<Backend> backend, DType activations);

  const SiglipSpec& spec() const { return spec_; }
  // Bytes that a picture needs at the most, features included.
  int64_t workspace_bytes() const;

  // Encodes one picture (patches row by row). on_block as Qwen3VlTower::run.
  Result<PictureFeatures> run(const PatchReader& patches, const std::function<void(int, ConstMatrix)>& on_block,
                              const std::stop_token& stop) const;

 private:
  void embed(const PatchReader& patches, VitWorkspace& work) const;
  Result<PictureFeatures> project(VitWorkspace& work) const;

  SiglipSpec spec_;
  VitShape shape_;
  SiglipWeights weights_;
  std::shared_ptr<Backend> backend_;
  DType activations_;
};

}  // namespace poplens
