// Strings to token ids, and pairs of ids to their merge: open-addressing tables that are filled once and then only
// read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/tokenizer/string_arena.h"

namespace poplens {

inline constexpr int32_t kNoToken = -1;

// No search goes past this many slots. An honest table has runs of far fewer, two thirds full as it is; a file whose
// entries were chosen to fall on one place must not make every search as long as the file.
inline constexpr size_t kMostProbes = 512;

enum class TableEntry { added, there_already, crowded };  // crowded: no free slot within kMostProbes, nothing is kept

// The id of a string among those of `strings` that were added. Holds ids only; the strings stay in the arena.
class TokenIndex {
 public:
  // Room for `count` ids.
  explicit TokenIndex(size_t count = 0);

  // Adds the string `id` of `strings`, unless an equal one is there already.
  TableEntry add(const StringArena& strings, int32_t id);

  int32_t find(const StringArena& strings, std::string_view key) const;  // kNoToken if absent

 private:
  // Where the string is, or the free slot for it; slots_.size() if neither is near.
  size_t slot_of(const StringArena& strings, std::string_view key) const;

  std::vector<int32_t> slots_;  // a power of two; kNoToken where free
};

struct Merge {
  uint32_t rank = 0;         // lower merges first
  int32_t token = kNoToken;  // what the pair becomes; kNoToken: the pair never merges
};

class MergeTable {
 public:
  explicit MergeTable(size_t count = 0);

  // A pair that is set again takes the later merge, as in the reference.
  TableEntry set(int32_t left, int32_t right, Merge merge);

  Merge find(int32_t left, int32_t right) const {
    if (left < 0 || right < 0) return {};
    const size_t slot = slot_of(left, right);
    return slot < entries_.size() ? entries_[slot].merge : Merge{};
  }

 private:
  struct Entry {
    int32_t left = kNoToken;
    int32_t right = kNoToken;
    Merge merge;
  };

  size_t slot_of(int32_t left, int32_t right) const {
    const uint64_t key = (static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32) | static_cast<uint32_t>(right);
    // Fibonacci hashing: the top bits of the product depend on all bits of the key.
    size_t slot = static_cast<size_t>((key * 0x9E3779B97F4A7C15u) >> shift_);
    for (size_t probes = 0; probes < kMostProbes; ++probes) {
      const Entry& entry = entries_[slot];
      if (entry.left == kNoToken || (entry.left == left && entry.right == right)) return slot;
      slot = (slot + 1) & (entries_.size() - 1);
    }
    return entries_.size();
  }

  std::vector<Entry> entries_;  // a power of two, never full
  int shift_ = 0;               // 64 - log2(size)
};

}  // namespace poplens
