#include "engine/tokenizer/token_index.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace poplens {
namespace {

// At most two thirds full, so that a search ends at a free slot after a step or two.
size_t table_size(size_t count) {
  return std::bit_ceil(std::max<size_t>(count + count / 2 + 1, 8));
}

}  // namespace

TokenIndex::TokenIndex(size_t count) : slots_(table_size(count), kNoToken) {}

size_t TokenIndex::slot_of(const StringArena& strings, std::string_view key) const {
  size_t slot = std::hash<std::string_view>{}(key) & (slots_.size() - 1);
  while (slots_[slot] != kNoToken && strings[static_cast<size_t>(slots_[slot])] != key) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

bool TokenIndex::add(const StringArena& strings, int32_t id) {
  const size_t slot = slot_of(strings, strings[static_cast<size_t>(id)]);
  if (slots_[slot] != kNoToken) return false;
  slots_[slot] = id;
  return true;
}

int32_t TokenIndex::find(const StringArena& strings, std::string_view key) const {
  return slots_[slot_of(strings, key)];
}

MergeTable::MergeTable(size_t count) : entries_(table_size(count)), shift_(64 - std::countr_zero(entries_.size())) {}

void MergeTable::set(int32_t left, int32_t right, Merge merge) {
  entries_[slot_of(left, right)] = {left, right, merge};
}

}  // namespace poplens
