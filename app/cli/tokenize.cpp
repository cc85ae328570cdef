// poplens-cli tokenize: text to ids and back.
#include <algorithm>
#include <iostream>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/model_names.h"
#include "app/cli/request.h"
#include "engine/base/json_reader.h"
#include "vision/picture_encoder.h"

namespace poplens::cli {
namespace {

using nlohmann::ordered_json;

std::string comma_separated(const std::vector<int32_t>& ids) {
  std::string text;
  for (const int32_t id : ids) text += (text.empty() ? "" : ",") + std::to_string(id);
  return text;
}

Result<std::vector<int32_t>> encode(const Tokenizer& tokenizer, const std::string& text,
                                    const TokenizeOptions& options) {
  auto ids = tokenizer.encode(text, options.parse_special ? Tokenizer::Special::parse : Tokenizer::Special::text);
  if (options.prompt.bos) {
    if (!tokenizer.bos_id()) return Error{"--bos: the tokenizer of " + options.common.model + " has no BOS token"};
    ids.insert(ids.begin(), *tokenizer.bos_id());
  }
  return ids;
}

// Answers line by line, so that it can serve as another program's helper.
Result<void> encode_lines(const Tokenizer& tokenizer, const TokenizeOptions& options) {
  std::string line;
  for (int64_t number = 1; std::getline(std::cin, line); ++number) {
    const std::string place = "standard input, line " + std::to_string(number);
    JsonTreeBuilder json;
    POPLENS_CHECK(parse_json(line, place, json));
    if (!json.root().is_string()) return Error{place + ": not a JSON string"};
    POPLENS_TRY(ids, encode(tokenizer, json.root().get_ref<const std::string&>(), options));
    POPLENS_CHECK(print_text("[" + comma_separated(ids) + "]\n"));
  }
  return {};
}

Result<void> report_chat(const std::filesystem::path& folder, const TokenizeOptions& options) {
  POPLENS_TRY(request, make_request(options.prompt));
  POPLENS_TRY(prompts, PromptBuilder::from_folder(folder));
  POPLENS_TRY(measurer, make_picture_measurer(folder, prompts.config(), options.common.max_image_tokens));
  POPLENS_TRY(prompt, prompts.build(request, measurer.get()));
  if (options.common.json) {
    POPLENS_CHECK(print_json({{"ids", prompt.ids},
                              {"text", prompts.tokenizer().decode(prompt.ids, /*show_special=*/true)},
                              {"prompt_tokens", prompt.tokens()},
                              {"image_tokens", prompt.image_tokens()},
                              {"warnings", prompt.warnings}}));
  } else {
    POPLENS_CHECK(print_text(comma_separated(prompt.ids) + "\n"));
  }
  print_warnings(prompt.warnings);
  return {};
}

}  // namespace

Result<void> run_tokenize(const TokenizeOptions& options) {
  POPLENS_TRY(folder, find_model(options.common));
  POPLENS_CHECK(make_load_options(options.common));
  if (options.chat) return report_chat(folder, options);
  POPLENS_TRY(tokenizer, Tokenizer::from_folder(folder));
  if (options.stdin_lines) return encode_lines(tokenizer, options);

  std::vector<int32_t> ids;
  std::string text;
  if (options.ids) {
    ids = *options.ids;
    const auto beyond = std::find_if(ids.begin(), ids.end(), [&](int32_t id) { return id >= tokenizer.vocab_size(); });
    if (beyond != ids.end()) {
      return Error{"--ids: " + std::to_string(*beyond) + " is not in the vocabulary, which has " +
                   std::to_string(tokenizer.vocab_size()) + " tokens"};
    }
    text = tokenizer.decode(ids, /*show_special=*/true);
  } else {
    text = *options.prompt.prompt;
    POPLENS_TRY(encoded, encode(tokenizer, text, options));
    ids = std::move(encoded);
  }
  if (options.common.json) return print_json({{"ids", ids}, {"text", text}});
  return print_text((options.ids ? text : comma_separated(ids)) + "\n");
}

}  // namespace poplens::cli
