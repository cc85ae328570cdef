#include "app/cli/messages_file.h"

#include <nlohmann/json.hpp>

#include "engine/base/json_reader.h"

namespace poplens::cli {
namespace {

using nlohmann::json;

constexpr size_t kMostBytes = 64u << 20;
constexpr size_t kLongestQuote = 40;

// What is quoted from the file in a message, cut short between two characters.
std::string quoted(std::string text) {
  if (text.size() > kLongestQuote) {
    size_t end = kLongestQuote;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text.resize(end);
    text += "…";
  }
  return std::string("'").append(text).append("'");
}

class ConversationReader {
 public:
  ConversationReader(const std::filesystem::path& path, const std::vector<std::string>& images)
      : path_(path), images_(images) {}

  Result<Conversation> read(const json& root) {
    const json& list = root.is_object() ? json_member(root, "messages") : root;
    if (!list.is_array()) return Error{path_.string() + ": not a list of messages"};
    if (list.empty()) return Error{path_.string() + ": the list of messages is empty"};
    for (const json& message : list) {
      ++number_;
      POPLENS_CHECK(read_message(message));
    }
    if (next_image_ < images_.size()) {
      return Error{images_[next_image_] + ": no image part of " + path_.string() + " is left for this --image"};
    }
    return std::move(conversation_);
  }

 private:
  Error wrong(const std::string& what) const {
    return Error{path_.string() + ": message " + std::to_string(number_) + " " + what};
  }

  Result<void> read_message(const json& node) {
    if (!node.is_object()) return wrong("is not an object");
    const json& role = json_member(node, "role");
    if (!role.is_string()) return wrong("has no 'role'");
    if (!json_member(node, "tool_calls").is_null()) return wrong("has 'tool_calls', which are not supported");
    Message message{role.get<std::string>(), {}};
    const json& content = json_member(node, "content");
    if (content.is_string()) {
      message.parts.push_back({MessagePart::Kind::text, content.get<std::string>()});
    } else if (content.is_array()) {
      for (const json& part : content) POPLENS_CHECK(read_part(part, message));
    } else {
      return wrong("has no 'content' that is a text or a list of parts");
    }
    conversation_.messages.push_back(std::move(message));
    return {};
  }

  Result<void> read_part(const json& node, Message& message) {
    if (node.is_string()) {
      message.parts.push_back({MessagePart::Kind::text, node.get<std::string>()});
      return {};
    }
    if (!node.is_object()) return wrong("has a part that is neither a text nor an object");
    const json& type = json_member(node, "type");
    if (!type.is_string()) return wrong("has a part without 'type'");
    const auto kind = type.get<std::string>();
    if (kind == "text") {
      const json& text = json_member(node, "text");
      if (!text.is_string()) return wrong("has a text part without 'text'");
      message.parts.push_back({MessagePart::Kind::text, text.get<std::string>()});
      return {};
    }
    if (kind == "video") return wrong("has a video: videos are not supported");
    if (kind != "image") return wrong("has a part of type " + quoted(kind) + "; text and image are supported");
    return read_image_part(node, message);
  }

  Result<void> read_image_part(const json& node, Message& message) {
    const json& image = json_member(node, "image");
    const json& file = image.is_null() ? json_member(node, "path") : image;
    if (file.is_string()) {
      conversation_.images.push_back(path_.parent_path() / file.get<std::string>());
    } else if (!file.is_null()) {
      return wrong("has an image part whose 'image' is not a file name");
    } else if (node.contains("url") || node.contains("base64")) {
      return wrong("has an image part that is not a file: give its name in 'image'");
    } else if (next_image_ < images_.size()) {
      conversation_.images.emplace_back(images_[next_image_++]);
    } else {
      return wrong("has an image part without a file, and no --image is left for it");
    }
    message.parts.push_back({MessagePart::Kind::image, {}});
    return {};
  }

  const std::filesystem::path& path_;
  const std::vector<std::string>& images_;
  size_t number_ = 0;
  size_t next_image_ = 0;
  Conversation conversation_;
};

}  // namespace

Result<Conversation> read_messages_file(const std::filesystem::path& path, const std::vector<std::string>& images) {
  POPLENS_TRY(root, read_bounded_json(path, kMostBytes));
  return ConversationReader(path, images).read(root);
}

}  // namespace poplens::cli
