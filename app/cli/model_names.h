// From what --model says to a folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "engine/base/result.h"

namespace poplens::cli {

// Where bundled models may lie, best first: $POPLENS_MODELS, ../share/poplens/models beside the program's folder, the
// source tree's assets/models.
std::vector<std::filesystem::path> bundled_model_folders();

// The folder of `common.model`: a path, or the name of a bundled model. GGUF files are refused.
Result<std::filesystem::path> find_model(const CommonOptions& common);

}  // namespace poplens::cli
