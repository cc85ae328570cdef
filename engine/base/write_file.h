// Files written whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/base/result.h"

namespace poplens {

// Writes beside `path` and puts the result in its place: a reader, and whoever comes after a crash, sees the old
// content or the new. Fails with a sentence that names the file.
Result<void> write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace poplens
