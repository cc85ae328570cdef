#include "engine/base/json_file.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/base/json_reader.h"

namespace poplens {

using nlohmann::json;

JsonObject::JsonObject(const json& value, std::string where)
    : value_(std::make_shared<const json>(value)), where_(std::move(where)) {}

JsonObject JsonObject::empty(std::string where) {
  return {json::object(), std::move(where)};
}

Error JsonObject::wrong(const std::string& key, const std::string& what) const {
  return Error{where_ + ": '" + key + "' " + what};
}

bool JsonObject::has(const std::string& key) const {
  const auto found = value_->find(key);
  return found != value_->end() && !found->is_null();
}

Result<JsonObject> JsonObject::object(const std::string& key) const {
  if (!has(key)) return wrong(key, "is missing");
  const json& found = value_->at(key);
  if (!found.is_object()) return wrong(key, "is not an object");
  return JsonObject(found, where_ + ": " + key);
}

Result<int64_t> JsonObject::integer(const std::string& key, int64_t least, int64_t most,
                                    std::optional<int64_t> fallback) const {
  if (!has(key)) {
    if (fallback) return *fallback;
    return wrong(key, "is missing");
  }
  const json& found = value_->at(key);
  if (!found.is_number_integer() || (found.is_number_unsigned() && found.get<uint64_t>() > INT64_MAX)) {
    return wrong(key, "is not a whole number");
  }
  const auto value = found.get<int64_t>();
  if (value < least || value > most) {
    return wrong(key,
                 "is " + std::to_string(value) + ", expected " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value;
}

Result<double> JsonObject::number(const std::string& key, std::optional<double> fallback) const {
  if (!has(key)) {
    if (fallback) return *fallback;
    return wrong(key, "is missing");
  }
  const json& found = value_->at(key);
  if (!found.is_number() || !std::isfinite(found.get<double>())) return wrong(key, "is not a number");
  return found.get<double>();
}

Result<bool> JsonObject::boolean(const std::string& key, std::optional<bool> fallback) const {
  if (!has(key)) {
    if (fallback) return *fallback;
    return wrong(key, "is missing");
  }
  const json& found = value_->at(key);
  if (!found.is_boolean()) return wrong(key, "is neither true nor false");
  return found.get<bool>();
}

Result<std::string> JsonObject::text(const std::string& key, std::optional<std::string> fallback) const {
  if (!has(key)) {
    if (fallback) return *fallback;
    return wrong(key, "is missing");
  }
  const json& found = value_->at(key);
  if (!found.is_string()) return wrong(key, "is not a text");
  return found.get<std::string>();
}

Result<std::vector<int64_t>> JsonObject::integers(const std::string& key, int64_t least, int64_t most,
                                                  size_t longest) const {
  if (!has(key)) return wrong(key, "is missing");
  const json& found = value_->at(key);
  if (!found.is_array()) return wrong(key, "is not a list");
  if (found.size() > longest) return wrong(key, "is longer than " + std::to_string(longest) + " entries");
  std::vector<int64_t> values;
  for (const json& entry : found) {
    if (!entry.is_number_integer()) return wrong(key, "holds something else than whole numbers");
    const auto value = entry.get<int64_t>();
    if (value < least || value > most) return wrong(key, "holds " + entry.dump() + ", which is out of range");
    values.push_back(value);
  }
  return values;
}

Result<JsonObject> read_json_file(const std::filesystem::path& path, int64_t most_bytes) {
  POPLENS_TRY(value, read_bounded_json(path, static_cast<size_t>(most_bytes)));
  if (!value.is_object()) return Error{path.string() + ": not a JSON object"};
  return JsonObject(value, path.string());
}

}  // namespace poplens
