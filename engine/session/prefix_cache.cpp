#include "engine/session/prefix_cache.h"

#include <algorithm>

namespace poplens {

int64_t PrefixCache::common_prefix(const Prompt& prompt, std::span<const uint64_t> picture_keys) const {
  const auto [mine, theirs] = std::mismatch(ids_.begin(), ids_.end(), prompt.ids.begin(), prompt.ids.end());
  int64_t common = mine - ids_.begin();
  for (size_t i = 0; i < std::max(pictures_.size(), prompt.pictures.size()); ++i) {
    const bool both = i < pictures_.size() && i < prompt.pictures.size();
    const TokenSpan span = i < prompt.pictures.size() ? prompt.pictures[i].tokens : pictures_[i].tokens;
    const bool same = both && pictures_[i].tokens.begin == span.begin && pictures_[i].tokens.end == span.end &&
                      pictures_[i].key == picture_keys[i] && span.end <= common;
    if (!same) return std::min(common, span.begin);
  }
  return common;
}

PrefixCache::Turn PrefixCache::turn_at(int64_t common) const {
  Turn found;
  for (const Turn& turn : turns_) {
    if (turn.begin <= common) found = turn;
  }
  return found;
}

int64_t PrefixCache::alike_until(int64_t from, const PopPlan& plan, int64_t boundary_begin) const {
  int64_t alike = from;
  for (const Segment& segment : segments_) {
    if (segment.end <= alike) continue;
    if (alike < boundary_begin && !plan.empty()) {
      if (segment.pruned_layers != plan.layers || segment.per_layer_kv != plan.per_layer_kv) break;
      alike = std::min(segment.end, boundary_begin);
      if (segment.end > boundary_begin) break;
    } else {
      if (!segment.pruned_layers.empty()) break;
      alike = segment.end;
    }
  }
  return alike;
}

int64_t PrefixCache::reusable(const Prompt& prompt, std::span<const uint64_t> picture_keys, const PopPlan& plan,
                              int64_t boundary_begin) const {
  int64_t common = std::min(common_prefix(prompt, picture_keys), prompt.tokens() - 1);
  const Turn turn = turn_at(common);
  const bool goes_on_from_it = common > turn.prompt_end;
  if (!goes_on_from_it) common = std::min(common, alike_until(turn.begin, plan, boundary_begin));
  for (const PromptPicture& picture : prompt.pictures) {
    if (picture.tokens.begin < common && common < picture.tokens.end) common = picture.tokens.begin;
  }
  return std::max<int64_t>(common, 0);
}

void PrefixCache::truncate(int64_t tokens) {
  ids_.resize(static_cast<size_t>(tokens));
  std::erase_if(pictures_, [&](const CachedPicture& picture) { return picture.tokens.end > tokens; });
  std::erase_if(turns_, [&](const Turn& turn) { return turn.begin > tokens; });
  while (!segments_.empty() && segments_.back().end > tokens) {
    const int64_t begin = segments_.size() > 1 ? segments_[segments_.size() - 2].end : 0;
    if (begin < tokens) {
      segments_.back().end = tokens;
    } else {
      segments_.pop_back();
    }
  }
}

void PrefixCache::extend(int64_t end, const PopPlan* plan) {
  const int64_t begin = segments_.empty() ? 0 : segments_.back().end;
  if (end <= begin) return;
  Segment segment{.end = end};
  if (plan != nullptr) {
    segment.pruned_layers = plan->layers;
    segment.per_layer_kv = plan->per_layer_kv;
  }
  if (!segments_.empty() && segments_.back().pruned_layers == segment.pruned_layers &&
      segments_.back().per_layer_kv == segment.per_layer_kv) {
    segments_.back().end = end;
  } else {
    segments_.push_back(std::move(segment));
  }
}

void PrefixCache::append_prompt(const Prompt& prompt, std::span<const uint64_t> picture_keys, int64_t end,
                                const PopPlan& plan, int64_t pruned_below) {
  const int64_t begin = tokens();
  if (turns_.empty() || begin > turns_.back().prompt_end) turns_.push_back({.begin = begin});
  turns_.back().prompt_end = prompt.tokens();
  ids_.insert(ids_.end(), prompt.ids.begin() + begin, prompt.ids.begin() + end);
  for (size_t i = 0; i < prompt.pictures.size(); ++i) {
    const TokenSpan& span = prompt.pictures[i].tokens;
    if (span.end > begin && span.end <= end) pictures_.push_back({span, picture_keys[i]});
  }
  if (!plan.empty()) extend(std::min(end, pruned_below), &plan);
  extend(end, nullptr);
}

void PrefixCache::append_answer(int32_t id) {
  ids_.push_back(id);
  extend(tokens(), nullptr);
}

}  // namespace poplens
