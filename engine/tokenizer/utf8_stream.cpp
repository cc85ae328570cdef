#include "engine/tokenizer/utf8_stream.h"

#include "engine/tokenizer/utf8.h"

namespace poplens {

std::string Utf8Stream::push(std::string_view bytes) {
  pending_ += bytes;
  std::string_view rest = pending_;
  while (!rest.empty()) {
    const Utf8Char character = decode_utf8(rest);
    if (character.status == Utf8Status::truncated) break;
    rest.remove_prefix(character.length);
  }
  const size_t complete = pending_.size() - rest.size();
  std::string text = replace_invalid_utf8(std::string_view(pending_).substr(0, complete));
  pending_.erase(0, complete);
  return text;
}

std::string Utf8Stream::flush() {
  std::string text = replace_invalid_utf8(pending_);
  pending_.clear();
  return text;
}

}  // namespace poplens
