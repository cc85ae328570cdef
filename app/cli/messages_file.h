// --messages F.json: a conversation of several turns.
//
// [{"role": "user", "content": "text" | [part, …]}, …], or an object that holds such a list under "messages". A part is
// a text, {"type": "text", "text": "…"} or {"type": "image"}, the last with its file in "image" (or "path"), relative
// to the JSON file, or without one: then the next --image stands there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/tokenizer/chat_message.h"

namespace poplens::cli {

struct Conversation {
  std::vector<Message> messages;
  std::vector<std::filesystem::path> images;  // one for each image part, in order
};

// `images`: the files of --image. Fails, naming file and message, on anything that is not understood, on videos, and
// when files of --image are left over or missing.
Result<Conversation> read_messages_file(const std::filesystem::path& path, const std::vector<std::string>& images);

}  // namespace poplens::cli
