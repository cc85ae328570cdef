// Files written whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/base/result.h"

namespace poplens {

// Writes beside `path` and puts the result in its place: a reader, and whoever comes after a crash, sees the old
// content or the new. A file that is there keeps its rights; a link stays, and what it points to is written. Fails with
// a sentence that names the file.
Result<void> write_file(const std::filesystem::path& path, std::string_view content);

// The file that would be written, behind all links. Fails where a folder, a device or a pipe lies there, or a file that
// may not be written.
Result<std::filesystem::path> file_to_write(const std::filesystem::path& path);

}  // namespace poplens
