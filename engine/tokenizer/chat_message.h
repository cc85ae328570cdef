// A conversation, as a person or a program hands it in.
#pragma once

#include <string>
#include <vector>

namespace poplens {

struct MessagePart {
  enum class Kind { text, image };

  Kind kind = Kind::text;
  std::string text;  // of a text part; the k-th image part of a conversation is its k-th picture
  int crops = 0;     // of an image part: so many parts of the picture are shown behind it (Gemma-3's pan and scan)
};

struct Message {
  std::string role;  // "system", "user", "assistant" or "tool"
  std::vector<MessagePart> parts;
};

}  // namespace poplens
