#include "app/cli/request.h"

#include "app/cli/messages_file.h"
#include "engine/base/memory_map.h"

namespace poplens::cli {
namespace {

Result<std::vector<Picture>> read_pictures(const std::vector<std::filesystem::path>& paths) {
  std::vector<Picture> pictures;
  for (const std::filesystem::path& path : paths) {
    POPLENS_TRY(picture, read_picture(path));
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

}  // namespace

Result<Picture> read_picture(const std::filesystem::path& path) {
  POPLENS_TRY(map, MemoryMap::open(path));
  return Picture{.name = path.string(), .bytes = map.bytes(), .owner = std::make_shared<MemoryMap>(map)};
}

Result<PromptRequest> make_request(const PromptOptions& options) {
  PromptRequest request;
  request.add_bos = options.bos;
  request.pan_and_scan = options.pan_and_scan;
  if (!options.messages.empty()) {
    POPLENS_TRY(conversation, read_messages_file(options.messages, options.images));
    POPLENS_TRY(pictures, read_pictures(conversation.images));
    request.messages = std::move(conversation.messages);
    request.pictures = std::move(pictures);
    return request;
  }

  const std::string text = options.prompt.value_or("");
  if (text.empty() && options.images.empty()) return Error{"the prompt is empty: give --prompt, --image or --messages"};
  POPLENS_TRY(pictures, read_pictures({options.images.begin(), options.images.end()}));
  request.pictures = std::move(pictures);
  if (options.raw) {
    request.raw = true;
    request.raw_text = text;
    return request;
  }
  if (options.system) request.messages.push_back({"system", {{MessagePart::Kind::text, *options.system}}});
  Message question{"user", std::vector<MessagePart>(options.images.size(), {MessagePart::Kind::image, {}})};
  if (!text.empty()) question.parts.push_back({MessagePart::Kind::text, text});
  request.messages.push_back(std::move(question));
  return request;
}

}  // namespace poplens::cli
