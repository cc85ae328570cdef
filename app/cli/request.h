// The prompt options as the request that a session takes.
#pragma once

#include <filesystem>

#include "app/cli/options.h"
#include "engine/session/prompt.h"

namespace poplens::cli {

// A picture file, mapped into memory. Its content is not looked at yet.
Result<Picture> read_picture(const std::filesystem::path& path);

// Reads --messages and the picture files. Fails on an empty prompt.
Result<PromptRequest> make_request(const PromptOptions& options);

}  // namespace poplens::cli
