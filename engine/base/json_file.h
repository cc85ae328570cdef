// JSON files of a model folder, read with errors that name the file and the key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/base/result.h"

namespace poplens {

// A JSON object inside a file. `where` names both for errors: "config.json: text_config".
class JsonObject {
 public:
  JsonObject(const nlohmann::json& value, std::string where);
  // An object without keys.
  static JsonObject empty(std::string where);

  const nlohmann::json& value() const { return *value_; }
  const std::string& where() const { return where_; }

  // Present and not null.
  bool has(const std::string& key) const;
  // A nested object; missing or of another kind is an error.
  Result<JsonObject> object(const std::string& key) const;

  // A whole number in [least, most]; missing is an error unless a fallback is given.
  Result<int64_t> integer(const std::string& key, int64_t least, int64_t most,
                          std::optional<int64_t> fallback = std::nullopt) const;
  // A finite number.
  Result<double> number(const std::string& key, std::optional<double> fallback = std::nullopt) const;
  Result<bool> boolean(const std::string& key, std::optional<bool> fallback = std::nullopt) const;
  Result<std::string> text(const std::string& key, std::optional<std::string> fallback = std::nullopt) const;
  // A list of whole numbers in [least, most] with at most `longest` entries.
  Result<std::vector<int64_t>> integers(const std::string& key, int64_t least, int64_t most, size_t longest) const;

 private:
  Error wrong(const std::string& key, const std::string& what) const;

  std::shared_ptr<const nlohmann::json> value_;
  std::string where_;
};

// The object that makes up the file at `path`, at most `most_bytes` long.
Result<JsonObject> read_json_file(const std::filesystem::path& path, int64_t most_bytes = 64 << 20);

}  // namespace poplens
