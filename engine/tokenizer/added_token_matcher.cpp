#include "engine/tokenizer/added_token_matcher.h"

#include <utility>

namespace poplens {

int32_t AddedTokenMatcher::child(int32_t node, char byte) const {
  if (node == 0) return by_first_byte_[static_cast<unsigned char>(byte)];
  int32_t next = nodes_[static_cast<size_t>(node)].first_child;
  while (next >= 0 && nodes_[static_cast<size_t>(next)].byte != byte) {
    next = nodes_[static_cast<size_t>(next)].next_sibling;
  }
  return next;
}

void AddedTokenMatcher::add(std::string_view content, int32_t id) {
  int32_t node = 0;
  for (const char byte : content) {
    int32_t next = child(node, byte);
    if (next < 0) {
      next = static_cast<int32_t>(nodes_.size());
      Node& parent = nodes_[static_cast<size_t>(node)];
      nodes_.push_back({byte, -1, std::exchange(parent.first_child, next), kNoToken});
      if (node == 0) by_first_byte_[static_cast<unsigned char>(byte)] = next;
    }
    node = next;
  }
  int32_t& token = nodes_[static_cast<size_t>(node)].token;
  if (token == kNoToken) token = id;
}

AddedTokenMatcher::Found AddedTokenMatcher::longest_at(std::string_view text) const {
  Found found;
  int32_t node = 0;
  for (size_t k = 0; k < text.size(); ++k) {
    node = child(node, text[k]);
    if (node < 0) break;
    const int32_t token = nodes_[static_cast<size_t>(node)].token;
    if (token != kNoToken) found = {k + 1, token};
  }
  return found;
}

void AddedTokenMatcher::split(std::string_view text, const std::function<bool(int32_t id)>& is_text,
                              const std::function<void(std::string_view, int32_t id)>& read) const {
  size_t done = 0;
  for (size_t at = 0; at < text.size();) {
    if (by_first_byte_[static_cast<unsigned char>(text[at])] < 0) {
      ++at;
      continue;
    }
    const Found found = longest_at(text.substr(at));
    if (found.token == kNoToken) {
      ++at;
      continue;
    }
    if (!is_text(found.token)) {
      if (at > done) read(text.substr(done, at - done), kNoToken);
      read(text.substr(at, found.length), found.token);
      done = at + found.length;
    }
    at += found.length;
  }
  if (done < text.size()) read(text.substr(done), kNoToken);
}

}  // namespace poplens
