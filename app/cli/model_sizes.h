// How large a model is, reckoned from its config.
#pragma once

#include <cstdint>

#include "engine/model/model_config.h"
#include "vision/qwen3_vl_tower.h"
#include "vision/siglip_tower.h"

namespace poplens::cli {

// Parameters of one decoder layer, and of the whole decoder with embedding and (unless it is tied) head.
int64_t layer_parameters(const DecoderSpec& spec);
int64_t decoder_parameters(const DecoderSpec& spec);
// Parameters of a vision tower with its mergers or projector.
int64_t tower_parameters(const Qwen3VlVisionSpec& spec);
int64_t tower_parameters(const SiglipSpec& spec);

// All of a model's parameters.
Result<int64_t> model_parameters(const ModelConfig& config);

}  // namespace poplens::cli
