#include "engine/base/json_reader.h"

#include <utility>

#include "engine/base/memory_map.h"

namespace poplens {
namespace {

// Far beyond what any published file has (depth 8; Gemma-3's added tokens are 52,000 values), and small enough that
// neither memory nor the stack can be exhausted.
constexpr size_t kMaxDepth = 64;
constexpr size_t kMaxValues = 1'000'000;

}  // namespace

bool JsonTreeBuilder::fail(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
  return false;
}

nlohmann::json* JsonTreeBuilder::add(nlohmann::json value) {
  if (++values_ > kMaxValues) {
    fail("more than " + std::to_string(kMaxValues) + " values");
    return nullptr;
  }
  if (open_.empty()) {
    root_ = std::move(value);
    return &root_;
  }
  nlohmann::json& parent = *open_.back();
  if (parent.is_array()) {
    parent.push_back(std::move(value));
    return &parent.back();
  }
  nlohmann::json& member = parent[key_];
  member = std::move(value);
  return &member;
}

bool JsonTreeBuilder::open(nlohmann::json container) {
  if (open_.size() >= kMaxDepth) return fail("nested more than " + std::to_string(kMaxDepth) + " deep");
  nlohmann::json* node = add(std::move(container));
  if (node == nullptr) return false;
  open_.push_back(node);
  return true;
}

bool JsonTreeBuilder::number_float(number_float_t value, const string_t&) {
  return add(value) != nullptr;
}
bool JsonTreeBuilder::binary(binary_t&) {
  return fail("binary data");
}
bool JsonTreeBuilder::start_object(size_t) {
  return open(nlohmann::json::object());
}
bool JsonTreeBuilder::start_array(size_t) {
  return open(nlohmann::json::array());
}

bool JsonTreeBuilder::key(string_t& name) {
  key_ = std::move(name);
  return true;
}

bool JsonTreeBuilder::end_object() {
  open_.pop_back();
  return true;
}

bool JsonTreeBuilder::end_array() {
  open_.pop_back();
  return true;
}

// The parser's own message quotes the last token, which may be as long as the file: only the place is told.
bool JsonTreeBuilder::parse_error(size_t position, const std::string&, const nlohmann::json::exception&) {
  return fail("not valid JSON at byte " + std::to_string(position));
}

Result<void> parse_json(std::string_view text, const std::string& name, JsonTreeBuilder& builder) {
  try {
    if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return {};
  } catch (const std::exception& exception) {
    return Error{name + ": cannot be read as JSON: " + exception.what()};
  }
  return Error{name + ": " + (builder.problem().empty() ? "not valid JSON" : builder.problem())};
}

Result<std::string> read_text_file(const std::filesystem::path& path, size_t max_bytes) {
  POPLENS_TRY(map, MemoryMap::open(path));
  if (map.bytes().size() > max_bytes) {
    return Error{path.string() + ": " + std::to_string(map.bytes().size()) + " bytes, more than the " +
                 std::to_string(max_bytes) + " that such a file may have"};
  }
  return std::string(reinterpret_cast<const char*>(map.bytes().data()), map.bytes().size());
}

Result<nlohmann::json> read_bounded_json(const std::filesystem::path& path, size_t max_bytes) {
  POPLENS_TRY(text, read_text_file(path, max_bytes));
  JsonTreeBuilder builder;
  POPLENS_CHECK(parse_json(text, path.string(), builder));
  return std::move(builder.root());
}

const nlohmann::json& json_member(const nlohmann::json& node, const char* name) {
  static const nlohmann::json kNull;
  if (!node.is_object()) return kNull;
  const auto member = node.find(name);
  return member == node.end() ? kNull : *member;
}

std::string json_string(const nlohmann::json& node, const char* name, const std::string& fallback) {
  const nlohmann::json& member = json_member(node, name);
  return member.is_string() ? member.get_ref<const std::string&>() : fallback;
}

bool json_bool(const nlohmann::json& node, const char* name, bool fallback) {
  const nlohmann::json& member = json_member(node, name);
  return member.is_boolean() ? member.get<bool>() : fallback;
}

}  // namespace poplens
