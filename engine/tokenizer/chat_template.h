// From a conversation to the ids that a model was trained to answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/tokenizer/chat_message.h"
#include "engine/tokenizer/tokenizer.h"

namespace poplens {

enum class ChatFormat { none, qwen3_vl, gemma3, llama3 };

struct ChatPrompt {
  std::vector<int32_t> ids;
  // Where in `ids` each picture's placeholder stands, in the order of the pictures: one id each, to be repeated by the
  // caller for as many soft tokens as the picture has.
  std::vector<size_t> image_offsets;
  std::vector<std::string> warnings;  // one sentence each
};

class ChatTemplate {
 public:
  // Finds the folder's template text: `chat_template.jinja`, else `chat_template.json`, else that of
  // `tokenizer_config.json`. A text that is known by its SHA-256 decides the format; another one is a warning, and
  // `family` decides. Fails when one of these files is there but damaged.
  static Result<ChatTemplate> from_folder(const std::filesystem::path& model_folder, ChatFormat family);

  // The same from the text itself; nothing stands for a model without a template.
  static ChatTemplate from_text(const std::optional<std::string>& text, ChatFormat family);

  // Whether the model has a template; a base model has none.
  bool present() const { return format_ != ChatFormat::none; }
  ChatFormat format() const { return format_; }
  // Whether the answer begins with the model's thoughts, up to "</think>".
  bool thinking() const { return thinking_; }
  // Empty if the template's text is known.
  const std::string& warning() const { return warning_; }

  // The prompt as text: what the published template renders. Fails, naming the message, where the template can't take
  // the conversation.
  Result<std::string> render(std::span<const Message> messages, bool add_generation_prompt) const;

  // The prompt as ids: the template's own special tokens are tokens, whatever stands between two of them is encoded as
  // one text in which special tokens are letters (Tokenizer::Special::text).
  Result<ChatPrompt> encode(const Tokenizer& tokenizer, std::span<const Message> messages,
                            bool add_generation_prompt) const;

 private:
  ChatFormat format_ = ChatFormat::none;
  bool thinking_ = false;
  std::string warning_;
};

// A prompt without template or BOS, special tokens parsed. Each `<|image_pad|>` (Qwen3-VL) or `<start_of_image>`
// (Gemma-3, where what the template puts around a picture is added) in it holds the place of one picture.
// crops: how many parts of each picture are shown behind it (Gemma-3's pan and scan); may end early.
ChatPrompt encode_raw_prompt(const Tokenizer& tokenizer, std::string_view text, ChatFormat family,
                             std::span<const int> crops = {});

}  // namespace poplens
