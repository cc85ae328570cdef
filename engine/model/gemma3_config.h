// Gemma-3 (text and vision models): config.json to a DecoderSpec. Source: transformers models/gemma3.
#pragma once

#include "engine/model/model_config.h"

namespace poplens {

// `config` is a whole config.json of model_type gemma3 (text_config inside) or gemma3_text (flat). Fills everything but
// the generation defaults.
Result<ModelConfig> read_gemma3_config(const JsonObject& config);

}  // namespace poplens
