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
  for (size_t probes = 0; probes < kMostProbes; ++probes) {
    if (slots_[slot] == kNoToken || strings[static_cast<size_t>(slots_[slot])] == key) return slot;
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slots_.size();
}

TableEntry TokenIndex::add(const StringArena& strings, int32_t id) {
  const size_t slot = slot_of(strings, strings[static_cast<size_t>(id)]);
  if (slot == slots_.size()) return TableEntry::crowded;
  if (slots_[slot] != kNoToken) return TableEntry::there_already;
  slots_[slot] = id;
  return TableEntry::added;
}

int32_t TokenIndex::find(const StringArena& strings, std::string_view key) const {
  const size_t slot = slot_of(strings, key);
  return slot < slots_.size() ? slots_[slot] : kNoToken;
}

MergeTable::MergeTable(size_t count) : entries_(table_size(count)), shift_(64 - std::countr_zero(entries_.size())) {}

TableEntry MergeTable::set(int32_t left, int32_t right, Merge merge) {
  const size_t slot = slot_of(left, right);
  if (slot == entries_.size()) return TableEntry::crowded;
  const bool there_already = entries_[slot].left != kNoToken;
  entries_[slot] = {left, right, merge};
  return there_already ? TableEntry::there_already : TableEntry::added;
}

}  // namespace poplens
