#include "engine/weights/json_events.h"

#include <exception>

namespace poplens {

Result<void> read_json_events(std::string_view text, const std::string& subject, JsonEvents& events) {
  // The library takes a NUL byte for the end of the text and would leave what follows unread.
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
    return Error{subject + " is not valid JSON (at byte " + std::to_string(nul + 1) + ")"};
  }
  try {
    if (nlohmann::json::sax_parse(text.begin(), text.end(), &events)) return {};
  } catch (const std::exception& exception) {
    return Error{subject + " cannot be read: " + exception.what()};
  }
  return Error{subject + " " + (events.failure_.empty() ? "is not valid JSON" : events.failure_)};
}

}  // namespace poplens
