#include "app/cli/model_names.h"

#include <cstdlib>

namespace poplens::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::vector<fs::path> bundled_model_folders() {
  std::vector<fs::path> folders;
  if (const char* given = std::getenv("POPLENS_MODELS"); given != nullptr && *given != '\0')
    folders.emplace_back(given);
  std::error_code status;
  const fs::path program = fs::read_symlink("/proc/self/exe", status);
  if (!status) folders.push_back(program.parent_path().parent_path() / "share" / "poplens" / "models");
  folders.emplace_back(POPLENS_SOURCE_MODELS);
  return folders;
}

Result<fs::path> find_model(const CommonOptions& common) {
  if (!common.mmproj.empty()) {
    return Error{"--mmproj " + common.mmproj + ": GGUF files are not supported yet; give a Hugging Face model folder"};
  }
  const std::string& name = common.model;
  if (name.empty()) return Error{"--model is empty: give a model folder or the name of a bundled model"};
  const fs::path path(name);
  std::error_code status;
  if (fs::is_directory(path, status)) return path;
  if (path.extension() == ".gguf") {
    return Error{name + ": GGUF files are not supported yet; give a Hugging Face model folder"};
  }
  if (fs::exists(path, status)) return Error{name + ": a file, not a model folder"};
  if (name.find('/') != std::string::npos) return Error{name + ": no such model folder"};

  std::string looked_in;
  for (const fs::path& folder : bundled_model_folders()) {
    const fs::path candidate = folder / name;
    if (fs::exists(candidate / "config.json", status)) return candidate;
    looked_in += (looked_in.empty() ? "" : ", ") + folder.string();
  }
  return Error{name + ": neither a model folder nor a bundled model (looked in " + looked_in + ")"};
}

}  // namespace poplens::cli
