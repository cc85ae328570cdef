#include <algorithm>

#include "engine/tokenizer/chat_render.h"

namespace poplens {
namespace {

constexpr std::string_view kStart = "<|im_start|>";
constexpr std::string_view kEnd = "<|im_end|>";

void add_parts(RenderedChat& chat, const Message& message) {
  for (const MessagePart& part : message.parts) {
    if (part.kind == MessagePart::Kind::text) {
      chat.add_text(part.text);
    } else {
      chat.add_special("<|vision_start|>");
      chat.add_image(kQwen3VlPlaceholder);
      chat.add_special("<|vision_end|>");
    }
  }
}

void add_turn(RenderedChat& chat, std::string_view role, const Message& message) {
  chat.add_special(kStart);
  chat.add_text(role);
  chat.add_text("\n");
  add_parts(chat, message);
  chat.add_special(kEnd);
  chat.add_text("\n");
}

// Consecutive tool messages share one user turn.
void add_tool_result(RenderedChat& chat, const Message& message, bool first, bool last) {
  if (first) {
    chat.add_special(kStart);
    chat.add_text("user");
  }
  chat.add_text("\n<tool_response>\n");
  add_parts(chat, message);
  chat.add_text("\n</tool_response>");
  if (last) {
    chat.add_special(kEnd);
    chat.add_text("\n");
  }
}

std::string_view strip_newlines_left(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of('\n'), text.size()));
}

std::string_view strip_newlines(std::string_view text) {
  text = strip_newlines_left(text);
  return text.substr(0, text.find_last_not_of('\n') + 1);
}

// An answer of a Thinking edition: what was thought before it is told only after the last question.
std::string thinking_answer(const std::string& text, bool after_last_question) {
  constexpr std::string_view kOpen = "<think>";
  constexpr std::string_view kClose = "</think>";
  std::string_view answer = text;
  std::string_view thought;
  if (const size_t close = answer.find(kClose); close != std::string_view::npos) {
    thought = answer.substr(0, close);
    if (const size_t open = thought.rfind(kOpen); open != std::string_view::npos) {
      thought.remove_prefix(open + kOpen.size());
    }
    answer = strip_newlines_left(answer.substr(answer.rfind(kClose) + kClose.size()));
  }
  if (!after_last_question) return std::string(answer);
  return "<think>\n" + std::string(strip_newlines(thought)) + "\n</think>\n\n" +
         std::string(strip_newlines_left(answer));
}

size_t last_question(std::span<const Message> messages) {
  for (size_t k = messages.size(); k > 0; --k) {
    if (messages[k - 1].role == "user") return k - 1;
  }
  return messages.size();
}

}  // namespace

Result<RenderedChat> render_qwen3_vl(std::span<const Message> messages, const ChatVariant& variant) {
  RenderedChat chat;
  const size_t question = last_question(messages);
  for (size_t k = 0; k < messages.size(); ++k) {
    const Message& message = messages[k];
    const std::string number = "message " + std::to_string(k + 1);
    if (message.role != "user" && message.role != "tool" && has_image(message)) {
      return Error{number + " (" + message.role + ") has a picture, but only user and tool messages can show one"};
    }
    if (message.role == "user") {
      add_turn(chat, "user", message);
    } else if (message.role == "system") {
      if (k == 0) {
        add_turn(chat, "system", message);
      } else {
        chat.warnings.push_back(number + ": a system message that is not the first is left out, as the model's " +
                                "chat template does");
      }
    } else if (message.role == "assistant") {
      Message answer = message;
      if (variant.thinking)
        answer.parts = {{MessagePart::Kind::text, thinking_answer(joined_text(message), k > question)}};
      add_turn(chat, "assistant", answer);
    } else if (message.role == "tool") {
      const bool first = k == 0 || messages[k - 1].role != "tool";
      const bool last = k + 1 == messages.size() || messages[k + 1].role != "tool";
      add_tool_result(chat, message, first, last);
    } else {
      return Error{number + " has the role \"" + message.role.substr(0, 40) +
                   "\"; system, user, assistant and tool are known"};
    }
  }
  if (variant.add_generation_prompt) {
    chat.add_special(kStart);
    chat.add_text(variant.thinking ? "assistant\n<think>\n" : "assistant\n");
  }
  return chat;
}

}  // namespace poplens
