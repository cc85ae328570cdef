// model.safetensors.index.json: which shard of a checkpoint holds which tensor.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "engine/base/result.h"

namespace poplens {

// Tensor name -> file name relative to the index's folder. Every file name has been checked to stay inside the folder:
// relative, no "..". (Links inside the folder may lead elsewhere: the Hugging Face cache is made of them.)
using ShardIndex = std::map<std::string, std::string, std::less<>>;

Result<ShardIndex> read_shard_index(const std::filesystem::path& path);

}  // namespace poplens
