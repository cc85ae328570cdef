#include "engine/weights/safetensors_header.h"

#include <limits>
#include <unordered_set>
#include <utility>

#include "engine/weights/json_events.h"
#include "engine/weights/message_text.h"

namespace poplens {

namespace {

// {"tensor": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ..., "__metadata__": {"text": "text", ...}}
class HeaderReader : public JsonEvents {
 public:
  std::vector<SafetensorsEntry> take_entries() { return std::move(entries_); }

 private:
  static constexpr int kMaxRank = 16;
  static constexpr int kRoot = 1, kTensor = 2, kList = 3;  // depths

  enum class Field { none, dtype, shape, data_offsets, unknown };

  bool on_start(bool object) override {
    if (depth() == kRoot) return object || fail("is not a JSON object");
    if (depth() == kTensor) {
      if (!object) return fail(in_metadata_ ? "has a '__metadata__' that is no object" : entry_is("no object"));
      seen_keys_.clear();
      return true;
    }
    if (in_metadata_) return fail("has a value in '__metadata__' that is no text");
    if (field_ == Field::unknown) return true;
    const bool list_field = field_ == Field::shape || field_ == Field::data_offsets;
    if (depth() == kList && !object && list_field) return true;
    return bad_field();
  }

  bool on_end() override {
    if (depth() == kRoot) return true;
    if (depth() == kTensor) return in_metadata_ || finish_entry();
    if (depth() == kList && field_ == Field::data_offsets && offsets_.size() != 2) return bad_field();
    return true;
  }

  bool on_key(std::string& key) override {
    if (depth() == kRoot) {
      if (!names_.insert(key).second) return fail("has the key " + in_quotes(key) + " twice");
      in_metadata_ = key == "__metadata__";
      entry_ = {};
      entry_.name = std::move(key);
      offsets_.clear();
      return true;
    }
    if (depth() != kTensor) return true;
    if (!seen_keys_.insert(key).second) {
      return fail("has the key " + in_quotes(key) + " twice in " + in_quotes(entry_.name));
    }
    field_ = key == "dtype"          ? Field::dtype
             : key == "shape"        ? Field::shape
             : key == "data_offsets" ? Field::data_offsets
                                     : Field::unknown;
    return true;
  }

  bool on_string(std::string& value) override {
    if (depth() == kTensor && in_metadata_) return true;
    if (depth() == kTensor && field_ == Field::dtype) {
      entry_.dtype = std::move(value);
      return true;
    }
    return other_scalar();
  }

  bool on_unsigned(uint64_t value) override {
    if (depth() != kList || in_metadata_) return other_scalar();
    if (field_ == Field::shape) {
      if (entry_.shape.size() == kMaxRank) return fail(entry_is("of more than 16 dimensions"));
      if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return bad_field();
      entry_.shape.push_back(static_cast<int64_t>(value));
      return true;
    }
    if (field_ == Field::data_offsets) {
      if (offsets_.size() == 2) return bad_field();
      offsets_.push_back(value);
      return true;
    }
    return other_scalar();
  }

  bool other_scalar() override {
    if (depth() == 0) return fail("is not a JSON object");
    if (depth() == kRoot) {
      return fail(in_metadata_ ? "has a '__metadata__' that is no object" : entry_is("no object"));
    }
    if (in_metadata_) return fail("has a value in '__metadata__' that is no text");
    return field_ == Field::unknown || bad_field();
  }

  bool finish_entry() {
    for (const char* key : {"dtype", "shape", "data_offsets"}) {
      if (!seen_keys_.contains(key))
        return fail("has no '" + std::string(key) + "' for tensor " + in_quotes(entry_.name));
    }
    entry_.begin = offsets_[0];
    entry_.end = offsets_[1];
    entries_.push_back(std::move(entry_));
    return true;
  }

  bool bad_field() {
    switch (field_) {
      case Field::dtype:
        return fail("has a 'dtype' that is no text for tensor " + in_quotes(entry_.name));
      case Field::shape:
        return fail("has a 'shape' that is no list of whole numbers for tensor " + in_quotes(entry_.name));
      default:
        return fail("has 'data_offsets' that are not two whole numbers for tensor " + in_quotes(entry_.name));
    }
  }

  std::string entry_is(const std::string& what) const {
    return "has a tensor " + in_quotes(entry_.name) + " that is " + what;
  }

  std::vector<SafetensorsEntry> entries_;
  std::unordered_set<std::string> names_;
  bool in_metadata_ = false;
  SafetensorsEntry entry_;  // the one being read
  std::unordered_set<std::string> seen_keys_;
  Field field_ = Field::none;
  std::vector<uint64_t> offsets_;
};

}  // namespace

Result<std::vector<SafetensorsEntry>> parse_safetensors_header(std::string_view json, const std::string& subject) {
  if (json.empty() || json.front() != '{') return Error{subject + " does not begin with '{'"};
  HeaderReader reader;
  POPLENS_CHECK(read_json_events(json, subject, reader));
  return reader.take_entries();
}

}  // namespace poplens
