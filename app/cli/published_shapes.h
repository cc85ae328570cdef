// Sizes of published models, as what their config.json says: to time a model without its download.
#pragma once

#include <string>

#include "engine/model/model_config.h"

namespace poplens::cli {

// The config of "qwen3-vl-2b|4b|8b|32b", "gemma3-270m|1b|4b|12b|27b" or "llama-3.1-8b", read by its family's own
// reader. An unknown name is an error that lists the known ones.
Result<ModelConfig> published_shape(const std::string& name);

}  // namespace poplens::cli
