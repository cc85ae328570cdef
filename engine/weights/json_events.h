// Base of the event (SAX) readers of JSON files that nobody vouches for: bounds the depth, turns syntax errors into one
// sentence, and leaves the rest to the reader. Nothing is built in memory but what the reader keeps, so a hostile file
// of n bytes never costs more than a small multiple of n.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/base/result.h"

namespace poplens {

class JsonEvents {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  virtual ~JsonEvents() = default;

  bool null() { return other_scalar(); }
  bool boolean(bool /*value*/) { return other_scalar(); }
  bool number_integer(number_integer_t /*value*/) { return other_scalar(); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) { return other_scalar(); }
  bool binary(binary_t& /*value*/) { return other_scalar(); }
  bool number_unsigned(number_unsigned_t value) { return on_unsigned(value); }
  bool string(string_t& value) { return on_string(value); }
  bool key(string_t& value) { return on_key(value); }
  bool start_object(std::size_t /*elements*/) { return enter() && on_start(/*object=*/true); }
  bool start_array(std::size_t /*elements*/) { return enter() && on_start(/*object=*/false); }
  bool end_object() { return leave(); }
  bool end_array() { return leave(); }
  bool parse_error(std::size_t position, const std::string& /*token*/, const nlohmann::json::exception& /*error*/) {
    return fail("is not valid JSON (at byte " + std::to_string(position) + ")");
  }

 protected:
  static constexpr int kMaxDepth = 32;

  // Objects and arrays that are open, the one just opened included.
  int depth() const { return depth_; }
  // Stops the reading; `what` continues a sentence whose subject is the JSON text ("the header ...").
  bool fail(std::string what) {
    if (failure_.empty()) failure_ = std::move(what);
    return false;
  }

  virtual bool on_start(bool object) = 0;
  virtual bool on_end() = 0;  // depth() still counts the one that ends
  virtual bool on_key(std::string& key) = 0;
  virtual bool on_string(std::string& value) = 0;
  virtual bool on_unsigned(uint64_t value) = 0;
  virtual bool other_scalar() = 0;

 private:
  friend Result<void> read_json_events(std::string_view text, const std::string& subject, JsonEvents& events);

  bool enter() {
    if (++depth_ > kMaxDepth) return fail("is nested deeper than " + std::to_string(kMaxDepth) + " levels");
    return true;
  }
  bool leave() {
    const bool go_on = on_end();
    --depth_;
    return go_on;
  }

  int depth_ = 0;
  std::string failure_;
};

// Feeds the whole of `text` to `events`. An error's message is `subject`, a space, and what is wrong.
Result<void> read_json_events(std::string_view text, const std::string& subject, JsonEvents& events);

}  // namespace poplens
