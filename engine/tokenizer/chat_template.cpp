#include "engine/tokenizer/chat_template.h"

#include <iterator>
#include <utility>

#include "engine/base/json_reader.h"
#include "engine/tokenizer/chat_render.h"
#include "engine/tokenizer/sha256.h"

namespace poplens {
namespace {

constexpr size_t kMaxTemplateBytes = 4u << 20;
constexpr size_t kMaxConfigBytes = 16u << 20;

struct KnownTemplate {
  std::string_view sha256;
  ChatFormat format;
};

constexpr KnownTemplate kKnown[] = {
    {"3636d0f0bd6bef02654cdffdc447b79cb2cef8ab02cc75267345946291a489e4", ChatFormat::qwen3_vl},  // Qwen3-VL-Instruct
    {"7de1c58e208eda46e9c7f86397df37ec49883aeece39fb961e0a6b24088dd3c4", ChatFormat::gemma3},    // Gemma-3 it
    {"e10ca381b1ccc5cf9db52e371f3b6651576caee0a630b452e2816b2d404d4b65", ChatFormat::llama3},    // Llama-3.1-Instruct
    {"5816fce10444e03c2e9ee1ef8a4a1ea61ae7e69e438613f3b17b69d0426223a4", ChatFormat::llama3},    // Llama-3.2-Instruct
};

// The same template with and without its last newline, as files and JSON strings have it.
ChatFormat known_format(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  const std::string bare = sha256_hex(text);
  const std::string ended = sha256_hex(text + "\n");
  for (const KnownTemplate& known : kKnown) {
    if (known.sha256 == bare || known.sha256 == ended) return known.format;
  }
  return ChatFormat::none;
}

std::string_view format_name(ChatFormat format) {
  switch (format) {
    case ChatFormat::qwen3_vl:
      return "Qwen3-VL";
    case ChatFormat::gemma3:
      return "Gemma-3";
    case ChatFormat::llama3:
      return "Llama-3.1";
    case ChatFormat::none:
      break;
  }
  return "no";
}

// Thinking editions open <think> in the generation prompt and leave it open, in a string of the template's last block.
bool opens_thinking(std::string_view text) {
  const size_t block = text.rfind("add_generation_prompt");
  if (block == std::string_view::npos) return false;
  for (const std::string_view ending : {"<think>\\n'", "<think>\\n\"", "<think>\n'", "<think>\n\"", "<think>\n{"}) {
    if (text.find(ending, block) != std::string_view::npos) return true;
  }
  return false;
}

// "chat_template" is the text, or, in older files, a list of named ones.
std::optional<std::string> template_of(const nlohmann::json& config) {
  const nlohmann::json& member = json_member(config, "chat_template");
  if (member.is_string()) return member.get<std::string>();
  if (!member.is_array()) return std::nullopt;
  for (const nlohmann::json& named : member) {
    if (json_string(named, "name") == "default" && json_member(named, "template").is_string()) {
      return json_string(named, "template");
    }
  }
  return std::nullopt;
}

Result<std::optional<std::string>> find_template(const std::filesystem::path& folder) {
  std::error_code missing;
  if (const auto path = folder / "chat_template.jinja"; std::filesystem::exists(path, missing)) {
    POPLENS_TRY(text, read_text_file(path, kMaxTemplateBytes));
    return std::optional(std::move(text));
  }
  for (const char* file : {"chat_template.json", "tokenizer_config.json"}) {
    const auto path = folder / file;
    if (!std::filesystem::exists(path, missing)) continue;
    POPLENS_TRY(config, read_bounded_json(path, kMaxConfigBytes));
    if (auto text = template_of(config)) return text;
  }
  return std::optional<std::string>();
}

Result<RenderedChat> render_pieces(ChatFormat format, std::span<const Message> messages, const ChatVariant& variant) {
  if (format == ChatFormat::none) return Error{"the model has no chat template: it continues text only"};
  if (messages.empty()) return Error{"the conversation has no message"};
  switch (format) {
    case ChatFormat::gemma3:
      return render_gemma3(messages, variant);
    case ChatFormat::llama3:
      return render_llama3(messages, variant);
    default:
      return render_qwen3_vl(messages, variant);
  }
}

}  // namespace

ChatTemplate ChatTemplate::from_text(const std::optional<std::string>& text, ChatFormat family) {
  ChatTemplate chat;
  if (!text) return chat;
  chat.format_ = known_format(*text);
  if (chat.format_ == ChatFormat::none) {
    chat.format_ = family;
    chat.warning_ = "the model's chat template is not one that is known (SHA-256 " + sha256_hex(*text) + "); " +
                    std::string(format_name(family)) + " format is used";
  }
  chat.thinking_ = chat.format_ == ChatFormat::qwen3_vl && opens_thinking(*text);
  return chat;
}

Result<ChatTemplate> ChatTemplate::from_folder(const std::filesystem::path& model_folder, ChatFormat family) {
  POPLENS_TRY(text, find_template(model_folder));
  return from_text(text, family);
}

Result<std::string> ChatTemplate::render(std::span<const Message> messages, bool add_generation_prompt) const {
  POPLENS_TRY(chat, render_pieces(format_, messages, {add_generation_prompt, thinking_}));
  std::string text;
  for (const PromptPiece& piece : chat.pieces) text += piece.text;
  return text;
}

Result<ChatPrompt> ChatTemplate::encode(const Tokenizer& tokenizer, std::span<const Message> messages,
                                        bool add_generation_prompt) const {
  POPLENS_TRY(chat, render_pieces(format_, messages, {add_generation_prompt, thinking_}));
  ChatPrompt prompt;
  if (!warning_.empty()) prompt.warnings.push_back(warning_);
  std::move(chat.warnings.begin(), chat.warnings.end(), std::back_inserter(prompt.warnings));
  for (const PromptPiece& piece : chat.pieces) {
    if (piece.kind == PromptPiece::Kind::text) {
      const std::vector<int32_t> ids = tokenizer.encode(piece.text, Tokenizer::Special::text);
      prompt.ids.insert(prompt.ids.end(), ids.begin(), ids.end());
      continue;
    }
    const std::optional<int32_t> id = tokenizer.token_id(piece.text);
    if (!id) return Error{"the tokenizer lacks the token " + piece.text + " of the chat template"};
    if (piece.kind == PromptPiece::Kind::image) prompt.image_offsets.push_back(prompt.ids.size());
    prompt.ids.push_back(*id);
  }
  return prompt;
}

ChatPrompt encode_raw_prompt(const Tokenizer& tokenizer, std::string_view text, ChatFormat family,
                             std::span<const int> crops) {
  const bool gemma = family == ChatFormat::gemma3;
  const std::string expanded = gemma ? expand_gemma3_images(text, crops) : std::string(text);
  ChatPrompt prompt;
  prompt.ids = tokenizer.encode(expanded, Tokenizer::Special::parse);
  if (!gemma && family != ChatFormat::qwen3_vl) return prompt;
  const auto placeholder = tokenizer.token_id(gemma ? kGemma3Placeholder : kQwen3VlPlaceholder);
  for (size_t k = 0; placeholder && k < prompt.ids.size(); ++k) {
    if (prompt.ids[k] == *placeholder) prompt.image_offsets.push_back(k);
  }
  return prompt;
}

}  // namespace poplens
