#include "engine/tokenizer/chat_render.h"

namespace poplens {
namespace {

// The date that Llama-3.1's template writes when none is given; 3.2's takes the day's own, which would make the same
// question give another answer tomorrow.
constexpr std::string_view kDates = "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n";

void add_header(RenderedChat& chat, std::string_view role) {
  chat.add_special("<|start_header_id|>");
  chat.add_text(role);
  chat.add_special("<|end_header_id|>");
  chat.add_text("\n\n");
}

}  // namespace

Result<RenderedChat> render_llama3(std::span<const Message> messages, const ChatVariant& variant) {
  RenderedChat chat;
  for (size_t k = 0; k < messages.size(); ++k) {
    const Message& message = messages[k];
    const std::string number = "message " + std::to_string(k + 1);
    if (has_image(message)) return Error{number + " has a picture, but the model reads text only"};
    if (message.role != "system" && message.role != "user" && message.role != "assistant") {
      return Error{number + " has the role \"" + message.role.substr(0, 40) +
                   "\"; system, user and assistant are known"};
    }
  }
  chat.add_special("<|begin_of_text|>");
  add_header(chat, "system");
  chat.add_text(kDates);
  if (messages.front().role == "system") {
    chat.add_text(strip(joined_text(messages.front())));
    messages = messages.subspan(1);
  }
  chat.add_special("<|eot_id|>");
  for (const Message& message : messages) {
    add_header(chat, message.role);
    chat.add_text(strip(joined_text(message)));
    chat.add_special("<|eot_id|>");
  }
  if (variant.add_generation_prompt) add_header(chat, "assistant");
  return chat;
}

}  // namespace poplens
