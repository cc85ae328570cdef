// Llama 3.1 and 3.2 (text): config.json to a DecoderSpec. Source: transformers models/llama.
#pragma once

#include "engine/model/model_config.h"

namespace poplens {

// Fills everything but the generation defaults.
Result<ModelConfig> read_llama_config(const JsonObject& config);

}  // namespace poplens
