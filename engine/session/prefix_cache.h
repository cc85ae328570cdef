// Which positions of a KV cache a new prompt may take over.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/pop/plan.h"
#include "engine/session/prompt.h"

namespace poplens {

// Bookkeeping beside a KvCache: the tokens whose keys and values it holds, and under which plan each was computed.
class PrefixCache {
 public:
  // How many positions of `prompt` can be taken over, at most all but the last, never a part of a picture.
  // `picture_keys` tell the pictures' contents apart (all placeholders have one id).
  // A new turn of the same conversation keeps everything that is there: an answer was computed by the full model and
  // its prompt under the plan of its time. A turn asked again (the same question, or another one) keeps the turns
  // before it as well; of its own positions it takes over only what its plan would compute alike.
  int64_t reusable(const Prompt& prompt, std::span<const uint64_t> picture_keys, const PopPlan& plan,
                   int64_t boundary_begin) const;

  // The cache now ends after the first `tokens` positions.
  void truncate(int64_t tokens);
  // The next positions of the prompt were computed, those below `pruned_below` without `plan`'s layers.
  void append_prompt(const Prompt& prompt, std::span<const uint64_t> picture_keys, int64_t end, const PopPlan& plan,
                     int64_t pruned_below);
  void append_answer(int32_t id);
  int64_t tokens() const { return static_cast<int64_t>(ids_.size()); }

 private:
  struct CachedPicture {
    TokenSpan tokens;
    uint64_t key = 0;
  };
  struct Turn {
    int64_t begin = 0;       // positions below were there before
    int64_t prompt_end = 0;  // from here on: its answer
  };
  struct Segment {  // positions from the end of the segment before it
    int64_t end = 0;
    std::vector<int> pruned_layers;
    bool per_layer_kv = false;
  };
  int64_t common_prefix(const Prompt& prompt, std::span<const uint64_t> picture_keys) const;
  // The turn that a prompt with so much in common asks again, or goes on from.
  Turn turn_at(int64_t common) const;
  // Positions up to here are as `plan` computes them, those below `from` taken as given.
  int64_t alike_until(int64_t from, const PopPlan& plan, int64_t boundary_begin) const;
  void extend(int64_t end, const PopPlan* plan);

  std::vector<int32_t> ids_;
  std::vector<CachedPicture> pictures_;
  std::vector<Segment> segments_;
  std::vector<Turn> turns_;  // begins ascending
};

}  // namespace poplens
