#include "engine/session/prompt.h"

#include <algorithm>

namespace poplens {
namespace {

ChatFormat chat_format(const std::string& family) {
  if (family == "qwen3_vl") return ChatFormat::qwen3_vl;
  if (family == "gemma3") return ChatFormat::gemma3;
  if (family == "llama") return ChatFormat::llama3;
  return ChatFormat::none;
}

}  // namespace

void append_text(Prompt& prompt, std::span<const int32_t> ids) {
  for (const int32_t id : ids) {
    prompt.ids.push_back(id);
    prompt.positions.push_back({prompt.next_position, prompt.next_position, prompt.next_position});
    ++prompt.next_position;
  }
}

void append_picture(Prompt& prompt, const PictureGeometry& geometry, int32_t pad, bool positions_2d) {
  PromptPicture picture{{prompt.tokens(), prompt.tokens() + geometry.soft_tokens()}, geometry, {}};
  for (int row = 0; row < geometry.grid_rows; ++row) {
    for (int col = 0; col < geometry.grid_cols; ++col) {
      prompt.ids.push_back(pad);
      const int32_t base = prompt.next_position;
      if (positions_2d) {
        prompt.positions.push_back({base, base + row, base + col});
      } else {
        prompt.positions.push_back({base, base, base});
        ++prompt.next_position;
      }
    }
  }
  if (positions_2d) prompt.next_position += std::max(geometry.grid_rows, geometry.grid_cols);
  prompt.pictures.push_back(picture);
}

int64_t Prompt::image_tokens() const {
  int64_t count = 0;
  for (const PromptPicture& picture : pictures) count += picture.tokens.end - picture.tokens.begin;
  return count;
}

std::vector<TokenSpan> Prompt::picture_spans() const {
  std::vector<TokenSpan> spans;
  for (const PromptPicture& picture : pictures) spans.push_back(picture.tokens);
  return spans;
}

Result<PromptBuilder> PromptBuilder::from_folder(const std::filesystem::path& folder) {
  POPLENS_TRY(config, read_model_config(folder));
  POPLENS_TRY(tokenizer, Tokenizer::from_folder(folder));
  POPLENS_TRY(chat_template, ChatTemplate::from_folder(folder, chat_format(config.family)));
  return PromptBuilder(std::move(config), std::move(tokenizer), std::move(chat_template));
}

struct PromptBuilder::ShownPicture {
  Picture picture;
  PictureGeometry geometry;
  int crops = 0;  // so many of the pictures that follow are parts of this one
};

Result<std::vector<PromptBuilder::ShownPicture>> PromptBuilder::measure(const PromptRequest& request,
                                                                        const PictureMeasurer* measurer) const {
  std::vector<ShownPicture> shown;
  for (const Picture& picture : request.pictures) {
    POPLENS_TRY(geometry, measurer->measure(picture));
    std::vector<PictureCrop> crops;
    if (request.pan_and_scan) crops = measurer->crops(geometry);
    shown.push_back({picture, geometry, static_cast<int>(crops.size())});
    for (const PictureCrop& crop : crops) {
      ShownPicture part{picture, geometry};
      part.picture.crop = crop;
      part.geometry.width = crop.width;
      part.geometry.height = crop.height;
      shown.push_back(std::move(part));
    }
  }
  return shown;
}

Result<ChatPrompt> PromptBuilder::encode(const PromptRequest& request, std::span<const ShownPicture> shown) const {
  std::vector<int> crops;
  for (const ShownPicture& picture : shown) {
    if (!picture.picture.crop) crops.push_back(picture.crops);
  }
  if (!request.raw && template_.present()) {
    std::vector<Message> messages = request.messages;
    auto next = crops.begin();
    for (Message& message : messages) {
      for (MessagePart& part : message.parts) {
        if (part.kind == MessagePart::Kind::image && next != crops.end()) part.crops = *next++;
      }
    }
    return template_.encode(tokenizer_, messages, /*add_generation_prompt=*/true);
  }
  ChatPrompt prompt;
  bool add_bos = request.add_bos;
  if (request.raw) {
    prompt = encode_raw_prompt(tokenizer_, request.raw_text, chat_format(config_.family), crops);
  } else {
    std::string text;
    for (const MessagePart& part : request.messages.back().parts) text += part.text;
    prompt.ids = tokenizer_.encode(text, Tokenizer::Special::text);
    prompt.warnings.push_back("this model has no chat template (a base model): it continues the prompt");
    add_bos = true;
  }
  if (add_bos && tokenizer_.bos_id()) {
    prompt.ids.insert(prompt.ids.begin(), *tokenizer_.bos_id());
    for (size_t& offset : prompt.image_offsets) ++offset;
  }
  return prompt;
}

Result<Prompt> PromptBuilder::build(const PromptRequest& request, const PictureMeasurer* measurer) const {
  if (!request.raw && request.messages.empty()) return Error{"the prompt is empty: there is no message"};
  if (!request.pictures.empty() && (!config_.image_tokens || measurer == nullptr)) {
    return Error{request.pictures.front().name + ": this model reads no pictures"};
  }
  POPLENS_TRY(shown, measure(request, measurer));
  POPLENS_TRY(encoded, encode(request, shown));
  if (encoded.image_offsets.size() != shown.size()) {
    // The crops of a picture, which `shown` has besides, bring placeholders of their own.
    const size_t crops = shown.size() - request.pictures.size();
    const size_t placeholders = encoded.image_offsets.size() - std::min(crops, encoded.image_offsets.size());
    return Error{"the prompt has " + std::to_string(placeholders) + " picture placeholders, but " +
                 std::to_string(request.pictures.size()) + " pictures were given"};
  }

  const int64_t room = config_.decoder.context;
  int64_t tokens = static_cast<int64_t>(encoded.ids.size());
  for (const ShownPicture& picture : shown) tokens += picture.geometry.soft_tokens() - 1;
  if (tokens == 0) return Error{"the prompt is empty: it has no tokens"};
  if (tokens + 1 > room) {
    return Error{"the prompt has " + std::to_string(tokens) + " tokens and the model's context holds " +
                 std::to_string(room) + ": shorten the text or give the pictures fewer tokens"};
  }

  Prompt prompt;
  prompt.warnings = std::move(encoded.warnings);
  const std::span<const int32_t> ids = encoded.ids;
  size_t begin = 0;
  for (size_t i = 0; i < shown.size(); ++i) {
    append_text(prompt, ids.subspan(begin, encoded.image_offsets[i] - begin));
    append_picture(prompt, shown[i].geometry, config_.image_tokens->pad, config_.decoder.image_positions_2d);
    prompt.pictures.back().picture = shown[i].picture;
    begin = encoded.image_offsets[i] + 1;
  }
  append_text(prompt, ids.subspan(begin));
  for (const int32_t id : prompt.ids) {
    if (id < 0 || id >= config_.decoder.vocab) {
      return Error{"the tokenizer gives token " + std::to_string(id) + ", but the model has only " +
                   std::to_string(config_.decoder.vocab) + " (tokenizer and weights do not belong together)"};
    }
  }
  return prompt;
}

}  // namespace poplens
