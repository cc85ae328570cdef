// A request's text and pictures as the decoder is fed: token ids with every picture's placeholder expanded, and the
// positions that RoPE uses. Needs the tokenizer and the pictures' sizes, no weights.
#pragma once

#include <string>
#include <vector>

#include "engine/model/decoder.h"
#include "engine/model/model_config.h"
#include "engine/session/image_encoder.h"
#include "engine/tokenizer/chat_template.h"
#include "engine/tokenizer/tokenizer.h"

namespace poplens {

struct PromptRequest {
  // Either a conversation, rendered by the model's chat template (a base model continues the last user's text) …
  std::vector<Message> messages;
  // … or, with `raw`, text that is fed as it is: no template, special tokens parsed, BOS only if asked for.
  bool raw = false;
  std::string raw_text;
  bool add_bos = false;
  // In the order of their placeholders.
  std::vector<Picture> pictures;
  // Long pictures are also shown in parts, where the family has that.
  bool pan_and_scan = false;
};

struct PromptPicture {
  TokenSpan tokens;
  PictureGeometry geometry;
  Picture picture;  // of the request, or a part of one
};

struct Prompt {
  std::vector<int32_t> ids;
  std::vector<RopePosition> positions;  // [ids]
  std::vector<PromptPicture> pictures;
  int32_t next_position = 0;  // of the first token of the answer, on all axes
  std::vector<std::string> warnings;

  int64_t tokens() const { return static_cast<int64_t>(ids.size()); }
  int64_t image_tokens() const;
  std::vector<TokenSpan> picture_spans() const;
};

// Appends text: one position a token, alike on all axes.
void append_text(Prompt& prompt, std::span<const int32_t> ids);

// Appends a picture's soft tokens, each with the id `pad`. With `positions_2d` a picture stands at one time of the
// three axes, its tokens at their row and column, and the text after it goes on behind the longer side (transformers
// get_rope_index); otherwise its tokens count as text does.
void append_picture(Prompt& prompt, const PictureGeometry& geometry, int32_t pad, bool positions_2d);

class PromptBuilder {
 public:
  PromptBuilder(ModelConfig config, Tokenizer tokenizer, ChatTemplate chat_template)
      : config_(std::move(config)), tokenizer_(std::move(tokenizer)), template_(std::move(chat_template)) {}
  static Result<PromptBuilder> from_folder(const std::filesystem::path& folder);

  const ModelConfig& config() const { return config_; }
  const Tokenizer& tokenizer() const { return tokenizer_; }
  const ChatTemplate& chat_template() const { return template_; }

  // `measurer` may be null when there are no pictures. Fails when pictures and placeholders do not match in number, a
  // picture's size is refused, or the prompt leaves no room in the model's context for one token of answer.
  Result<Prompt> build(const PromptRequest& request, const PictureMeasurer* measurer) const;

 private:
  struct ShownPicture;
  // The request's pictures in the order of their soft tokens, each followed by its crops.
  Result<std::vector<ShownPicture>> measure(const PromptRequest& request, const PictureMeasurer* measurer) const;
  Result<ChatPrompt> encode(const PromptRequest& request, std::span<const ShownPicture> shown) const;

  ModelConfig config_;
  Tokenizer tokenizer_;
  ChatTemplate template_;
};

}  // namespace poplens
