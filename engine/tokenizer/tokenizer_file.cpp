#include "engine/tokenizer/tokenizer_file.h"

#include <algorithm>
#include <utility>

#include "engine/base/json_reader.h"

namespace poplens {
namespace {

// Takes "model.vocab" and "model.merges" out of the stream of events: a tree of their 400,000 values would cost a
// second and hundreds of megabytes. Everything else becomes the tree.
// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's values move without throwing, but do not say so.
class TokenizerEvents final : public JsonTreeBuilder {
 public:
  bool null() override { return in_table() ? fail_table() : JsonTreeBuilder::null(); }
  bool boolean(bool value) override { return in_table() ? fail_table() : JsonTreeBuilder::boolean(value); }
  bool number_float(number_float_t value, const string_t& spelling) override {
    return in_table() ? fail_table() : JsonTreeBuilder::number_float(value, spelling);
  }
  bool number_integer(number_integer_t value) override {
    return in_table() ? fail_table() : JsonTreeBuilder::number_integer(value);
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (!in_table()) return JsonTreeBuilder::number_unsigned(value);
    if (table_ != Table::vocabulary) return fail_table();
    if (value >= kMaxTokens) {
      return fail("model.vocab has the id " + std::to_string(value) + ", past the " + std::to_string(kMaxTokens) +
                  " that are allowed");
    }
    ids_.push_back(static_cast<int32_t>(value));
    return true;
  }

  bool string(string_t& value) override {
    if (!in_table()) return JsonTreeBuilder::string(value);
    if (value.size() > kMaxTokenBytes) return fail_table();
    if (table_ == Table::merge && ++parts_in_merge_ <= 2) {
      merge_parts.push_back(value);
      return true;
    }
    // The older spelling of a merge: "left right".
    const size_t space = value.find(' ');
    if (table_ != Table::merges || space == std::string::npos || value.find(' ', space + 1) != std::string::npos) {
      return fail_table();
    }
    merge_parts.push_back(std::string_view(value).substr(0, space));
    merge_parts.push_back(std::string_view(value).substr(space + 1));
    return true;
  }

  bool key(string_t& name) override {
    if (table_ == Table::vocabulary) {
      if (name.size() > kMaxTokenBytes) return fail_table();
      names_.push_back(name);
      return true;
    }
    if (depth() == 1) in_model_ = name == "model";
    table_ahead_ = Table::none;
    if (depth() == 2 && in_model_ && name == "vocab") table_ahead_ = Table::vocabulary;
    if (depth() == 2 && in_model_ && name == "merges") table_ahead_ = Table::merges;
    if (table_ahead_ != Table::none) return true;
    return JsonTreeBuilder::key(name);
  }

  bool start_object(size_t size) override {
    if (table_ != Table::none || table_ahead_ == Table::merges) return fail_table();
    if (table_ahead_ == Table::none) return JsonTreeBuilder::start_object(size);
    if (names_.size() > 0) return fail("model.vocab stands there twice");
    table_ = std::exchange(table_ahead_, Table::none);
    return true;
  }

  bool end_object() override {
    if (table_ == Table::none) return JsonTreeBuilder::end_object();
    table_ = Table::none;
    return true;
  }

  bool start_array(size_t size) override {
    if (table_ == Table::merges) {
      table_ = Table::merge;
      parts_in_merge_ = 0;
      return true;
    }
    if (table_ != Table::none || table_ahead_ == Table::vocabulary) return fail_table();
    if (table_ahead_ == Table::none) return JsonTreeBuilder::start_array(size);
    if (merge_parts.size() > 0) return fail("model.merges stands there twice");
    table_ = std::exchange(table_ahead_, Table::none);
    return true;
  }

  bool end_array() override {
    if (table_ == Table::none) return JsonTreeBuilder::end_array();
    if (table_ == Table::merge && parts_in_merge_ != 2) return fail_table();
    table_ = table_ == Table::merge ? Table::merges : Table::none;
    return true;
  }

  // The vocabulary by id. Empty strings stand where no token has the id.
  Result<StringArena> vocabulary(const std::string& name) const {
    std::vector<std::pair<int32_t, size_t>> order(ids_.size());
    for (size_t k = 0; k < ids_.size(); ++k) order[k] = {ids_[k], k};
    std::sort(order.begin(), order.end());
    StringArena by_id;
    for (const auto& [id, k] : order) {
      if (static_cast<size_t>(id) < by_id.size()) {
        return Error{name + ": two tokens of model.vocab have the id " + std::to_string(id)};
      }
      while (by_id.size() < static_cast<size_t>(id)) by_id.push_back({});
      by_id.push_back(names_[k]);
    }
    return by_id;
  }

  StringArena merge_parts;

 private:
  enum class Table { none, vocabulary, merges, merge };

  // A value that begins a table, or stands in one, but not as the table's own kind of entry.
  bool in_table() const { return table_ != Table::none || table_ahead_ != Table::none; }
  bool fail_table() {
    const bool vocabulary = table_ == Table::vocabulary || table_ahead_ == Table::vocabulary;
    return fail(vocabulary ? "model.vocab is not a BPE vocabulary (token texts with their ids)"
                           : "model.merges is not a list of pairs of tokens");
  }

  Table table_ = Table::none;
  Table table_ahead_ = Table::none;  // the key before the next value named this table
  bool in_model_ = false;
  int parts_in_merge_ = 0;
  StringArena names_;
  std::vector<int32_t> ids_;
};

}  // namespace

Result<AddedToken> read_added_token(const nlohmann::json& node, const std::string& name) {
  const nlohmann::json& id = json_member(node, "id");
  const nlohmann::json& content = json_member(node, "content");
  if (!id.is_number_unsigned() || id.get<uint64_t>() >= kMaxTokens || !content.is_string()) {
    return Error{name + ": an entry of added_tokens has no content or no id from 0 to " +
                 std::to_string(kMaxTokens - 1)};
  }
  AddedToken token;
  token.id = static_cast<int32_t>(id.get<uint64_t>());
  token.content = content.get_ref<const std::string&>();
  token.special = json_bool(node, "special", false);
  token.normalized = json_bool(node, "normalized", true);
  if (token.content.empty() || token.content.size() > kMaxTokenBytes) {
    return Error{name + ": the added token " + std::to_string(token.id) + " has a text of " +
                 std::to_string(token.content.size()) + " bytes; 1 to " + std::to_string(kMaxTokenBytes) +
                 " are allowed"};
  }
  for (const char* flag : {"lstrip", "rstrip", "single_word"}) {
    if (json_bool(node, flag, false)) {
      return Error{name + ": the added token " + std::to_string(token.id) + " uses " + flag +
                   ", which is not supported"};
    }
  }
  return token;
}

Result<TokenizerFile> parse_tokenizer_file(std::string_view json, const std::string& name) {
  TokenizerEvents events;
  POPLENS_CHECK(parse_json(json, name, events));
  nlohmann::json& root = events.root();
  if (!json_member(root, "model").is_object()) return Error{name + ": has no \"model\""};

  TokenizerFile file;
  POPLENS_TRY(vocabulary, events.vocabulary(name));
  file.vocabulary = std::move(vocabulary);
  if (file.vocabulary.size() == 0) return Error{name + ": model.vocab is missing or empty"};
  file.merge_parts = std::move(events.merge_parts);
  file.model = std::move(root["model"]);
  // Old files leave the type out; only BPE has both a vocabulary and merges.
  const std::string type = json_string(file.model, "type", "BPE");
  if (type != "BPE") return Error{name + ": the tokenizer model " + type.substr(0, 40) + " is not supported (BPE is)"};

  const nlohmann::json& added = json_member(root, "added_tokens");
  if (!added.is_null() && !added.is_array()) return Error{name + ": added_tokens is not a list"};
  for (const nlohmann::json& node : added) {
    POPLENS_TRY(token, read_added_token(node, name));
    file.added.push_back(std::move(token));
  }
  file.normalizer = json_member(root, "normalizer");
  file.pre_tokenizer = json_member(root, "pre_tokenizer");
  file.post_processor = json_member(root, "post_processor");
  file.decoder = json_member(root, "decoder");
  return file;
}

}  // namespace poplens
