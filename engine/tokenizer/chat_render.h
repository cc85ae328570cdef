// What a chat template makes of a conversation: one function a family, each the published template by hand.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/tokenizer/chat_message.h"

namespace poplens {

struct PromptPiece {
  enum class Kind {
    text,     // from the template and the conversation alike: special tokens spelled in it are letters
    special,  // one of the template's own special tokens
    image,    // likewise; it holds the place of one picture
  };

  Kind kind = Kind::text;
  std::string text;
};

struct RenderedChat {
  std::vector<PromptPiece> pieces;  // no two text pieces in a row
  std::vector<std::string> warnings;

  void add_text(std::string_view text);
  void add_special(std::string_view token);
  void add_image(std::string_view placeholder);
};

// What differs between editions of a model.
struct ChatVariant {
  bool add_generation_prompt = true;
  bool thinking = false;  // Qwen3-VL-Thinking: the answer begins inside <think>
};

// Qwen3-VL. A system message that is not the first is dropped with a warning, as the template does silently.
Result<RenderedChat> render_qwen3_vl(std::span<const Message> messages, const ChatVariant& variant);

// Gemma-3: each picture is <start_of_image>, its place, <end_of_image>, with two newlines around.
Result<RenderedChat> render_gemma3(std::span<const Message> messages, const ChatVariant& variant);

// Llama-3.1, with the dates that its template puts into every system turn. Text only.
Result<RenderedChat> render_llama3(std::span<const Message> messages, const ChatVariant& variant);

// The one token that holds a picture's place.
inline constexpr std::string_view kQwen3VlPlaceholder = "<|image_pad|>";
inline constexpr std::string_view kGemma3Placeholder = "<image_soft_token>";

// `text` with what the template puts for a picture in place of each "<start_of_image>". The k-th is followed by
// crops[k] crops (none where `crops` ends).
std::string expand_gemma3_images(std::string_view text, std::span<const int> crops);

// The text parts joined.
std::string joined_text(const Message& message);
bool has_image(const Message& message);
// Python's str.strip(): all Unicode white space, and U+001C..U+001F.
std::string_view strip(std::string_view text);

}  // namespace poplens
