// A conversation, as a person or a program hands it in.
#pragma once

#include <string>
#include <vector>

namespace poplens {

struct MessagePart {
  enum class Kind { text, image };

  Kind kind = Kind::text;
  std::string text;  // of a text part; the k-th image part of a conversation is its k-th picture
};

struct Message {
  std::string role;  // "system", "user", "assistant" or "tool"
  std::vector<MessagePart> parts;
};

}  // namespace poplens
