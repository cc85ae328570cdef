// Finds added tokens in text: the longest at each place, from the left.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "engine/tokenizer/token_index.h"

namespace poplens {

class AddedTokenMatcher {
 public:
  // `content` must not be empty. Of two tokens with the same text the first stays.
  void add(std::string_view content, int32_t id);

  // Reads `text` from left to right: `read(stretch, kNoToken)` for text between tokens (never empty),
  // `read(content, id)` for a token. Where `is_text(id)` holds, a token found is part of the text around it, and
  // hides shorter and overlapping ones all the same.
  void split(std::string_view text, const std::function<bool(int32_t id)>& is_text,
             const std::function<void(std::string_view, int32_t id)>& read) const;

 private:
  // A trie; the children of a node are a list through next_sibling.
  struct Node {
    char byte = 0;
    int32_t first_child = -1;
    int32_t next_sibling = -1;
    int32_t token = kNoToken;
  };
  struct Found {
    size_t length = 0;
    int32_t token = kNoToken;
  };

  int32_t child(int32_t node, char byte) const;
  Found longest_at(std::string_view text) const;

  std::vector<Node> nodes_ = std::vector<Node>(1);  // the root
  std::vector<int32_t> by_first_byte_ = std::vector<int32_t>(256, -1);
};

}  // namespace poplens
