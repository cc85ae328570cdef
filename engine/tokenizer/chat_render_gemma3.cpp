#include <algorithm>

#include "engine/tokenizer/chat_render.h"

namespace poplens {
namespace {

constexpr std::string_view kStartOfImage = "<start_of_image>";

void add_one_image(RenderedChat& chat) {
  chat.add_text("\n\n");
  chat.add_special(kStartOfImage);
  chat.add_image(kGemma3Placeholder);
  chat.add_special("<end_of_image>");
  chat.add_text("\n\n");
}

// A picture, and behind it its crops, announced in the words of transformers' Gemma3Processor.
void add_image_parts(RenderedChat& chat, int crops) {
  if (crops > 0) chat.add_text("Here is the original image ");
  add_one_image(chat);
  if (crops > 0) chat.add_text(" and here are some crops to help you see better");
  for (int crop = 0; crop < crops; ++crop) {
    chat.add_text(" ");
    add_one_image(chat);
  }
}

// The text of a system message: of its first part only, as the template takes it.
std::string first_text(const Message& message) {
  return message.parts.empty() ? std::string() : message.parts.front().text;
}

}  // namespace

std::string expand_gemma3_images(std::string_view text, std::span<const int> crops) {
  std::string expanded;
  while (!text.empty()) {
    const size_t found = std::min(text.find(kStartOfImage), text.size());
    expanded += text.substr(0, found);
    text.remove_prefix(found);
    if (text.empty()) break;
    RenderedChat picture;
    add_image_parts(picture, crops.empty() ? 0 : crops.front());
    if (!crops.empty()) crops = crops.subspan(1);
    for (const PromptPiece& piece : picture.pieces) expanded += piece.text;
    text.remove_prefix(kStartOfImage.size());
  }
  return expanded;
}

Result<RenderedChat> render_gemma3(std::span<const Message> messages, const ChatVariant& variant) {
  RenderedChat chat;
  chat.add_special("<bos>");
  std::string prefix;
  if (messages.front().role == "system") {
    if (has_image(messages.front())) return Error{"message 1 (system) has a picture, but only a user can show one"};
    if (messages.front().parts.size() > 1) {
      chat.warnings.push_back("message 1: only the first part of a system message is used, as the model's chat " +
                              std::string("template does"));
    }
    prefix = first_text(messages.front()) + "\n\n";
    messages = messages.subspan(1);
  }
  for (size_t k = 0; k < messages.size(); ++k) {
    const Message& message = messages[k];
    const std::string_view expected = k % 2 == 0 ? "user" : "assistant";
    if (message.role != expected) {
      return Error{"the roles must alternate user/assistant/user/assistant/..., but \"" + message.role.substr(0, 40) +
                   "\" stands where " + std::string(expected) + " should"};
    }
    chat.add_special("<start_of_turn>");
    chat.add_text(k % 2 == 0 ? "user\n" : "model\n");
    if (k == 0) chat.add_text(prefix);
    for (const MessagePart& part : message.parts) {
      if (part.kind == MessagePart::Kind::text) {
        chat.add_text(strip(part.text));
      } else {
        add_image_parts(chat, part.crops);
      }
    }
    chat.add_special("<end_of_turn>");
    chat.add_text("\n");
  }
  if (variant.add_generation_prompt) {
    chat.add_special("<start_of_turn>");
    chat.add_text("model\n");
  }
  return chat;
}

}  // namespace poplens
