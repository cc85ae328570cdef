// Qwen3-VL (dense): config.json to a DecoderSpec. Source: transformers models/qwen3_vl.
#pragma once

#include "engine/model/model_config.h"

namespace poplens {

// Fills everything but the generation defaults.
Result<ModelConfig> read_qwen3_vl_config(const JsonObject& config);

}  // namespace poplens
