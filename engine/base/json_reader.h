// JSON from files nobody vouches for: bounded in depth and number of values, errors as values.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/base/result.h"

namespace poplens {

// Builds a document from parser events, as nlohmann's own parser would, within limits. A reader that wants a part of
// the document in a form of its own overrides the events and hands on only the rest.
// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's values move without throwing, but do not say so.
class JsonTreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return add(nullptr) != nullptr; }
  bool boolean(bool value) override { return add(value) != nullptr; }
  bool number_integer(number_integer_t value) override { return add(value) != nullptr; }
  bool number_unsigned(number_unsigned_t value) override { return add(value) != nullptr; }
  bool number_float(number_float_t value, const string_t& spelling) override;
  bool string(string_t& value) override { return add(std::move(value)) != nullptr; }
  bool binary(binary_t& value) override;
  bool start_object(size_t size) override;
  bool key(string_t& name) override;
  bool end_object() override;
  bool start_array(size_t size) override;
  bool end_array() override;
  bool parse_error(size_t position, const std::string& last_token, const nlohmann::json::exception& error) override;

  nlohmann::json& root() { return root_; }
  // Why the parse stopped, without the file's name; empty if it did not.
  const std::string& problem() const { return problem_; }

 protected:
  size_t depth() const { return open_.size(); }
  bool fail(std::string problem);

 private:
  nlohmann::json* add(nlohmann::json value);
  bool open(nlohmann::json container);

  nlohmann::json root_;
  std::vector<nlohmann::json*> open_;  // the containers around the next value, outermost first
  std::string key_;
  size_t values_ = 0;
  std::string problem_;
};

// Parses `text` with `builder`. `name` is the file's, for the error.
Result<void> parse_json(std::string_view text, const std::string& name, JsonTreeBuilder& builder);

// A whole JSON file of at most `max_bytes`.
Result<nlohmann::json> read_bounded_json(const std::filesystem::path& path, size_t max_bytes);

// The text of a file of at most `max_bytes`.
Result<std::string> read_text_file(const std::filesystem::path& path, size_t max_bytes);

// The member `name` of an object; null if `node` is no object or has none.
const nlohmann::json& json_member(const nlohmann::json& node, const char* name);
// The member's value if it has the asked type, else `fallback`.
std::string json_string(const nlohmann::json& node, const char* name, const std::string& fallback = {});
bool json_bool(const nlohmann::json& node, const char* name, bool fallback);

}  // namespace poplens
