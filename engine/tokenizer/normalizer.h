// What is done to text before it is cut into pieces: the "normalizer" of a tokenizer.json.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/base/result.h"

namespace poplens {

class Normalizer {
 public:
  // NFC (Qwen), Replace of one string by another (Gemma), a Sequence of them, or null (Llama). `name` is the file's.
  static Result<Normalizer> from_json(const nlohmann::json& node, const std::string& name);

  // `text` must be valid UTF-8. The result lies in `text` if nothing had to change, else in `storage`.
  std::string_view apply(std::string_view text, std::string& storage) const;

 private:
  struct Nfc {};
  struct Replace {
    std::string pattern;
    std::string content;
  };

  static Result<void> add_steps(const nlohmann::json& node, const std::string& name, Normalizer& normalizer);

  std::vector<std::variant<Nfc, Replace>> steps_;
};

// Unicode NFC as the reference's: its tables stop at Unicode 9, so characters that are younger neither compose nor
// reorder nor decompose (Debian 12's ICU knows Unicode 15). `text` must be valid UTF-8.
std::string to_nfc(std::string_view text);

}  // namespace poplens
