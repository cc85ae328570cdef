// A prefill-only pruning plan, as a value: which layers are pruned while the prompt is read in, and how many of the
// last positions run in full all the same. The empty plan is full inference. Source: arXiv 2602.03295; boundary width
// and stacking go beyond it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace poplens {

// Positions of the prompt that run in full under every plan.
struct Boundary {
  enum class Kind : uint8_t {
    last,   // the last position only (the paper's)
    text,   // everything after the last picture token; without a picture, the last position
    count,  // the last `tokens` positions
  };
  Kind kind = Kind::text;
  int64_t tokens = 1;

  bool operator==(const Boundary&) const = default;
};

struct PopPlan {
  std::vector<int> layers;  // pruned, ascending, no duplicates; empty: full inference
  Boundary boundary;
  // The paper's plain form, for comparison: K/V of pruned layers layer by layer instead of one stacked product, and the
  // boundary as a step of its own instead of riding along with the prefill.
  bool per_layer_kv = false;
  bool separate_boundary = false;

  bool empty() const { return layers.empty(); }
  bool prunes(int layer) const;
  bool operator==(const PopPlan&) const = default;

  // The last `depth` of `layer_count` layers. Fails when depth is not in [0, layer_count].
  static Result<PopPlan> suffix(int layer_count, int depth, Boundary boundary);
  // Any set of layers. Fails on a layer outside [0, layer_count).
  static Result<PopPlan> of_layers(int layer_count, std::vector<int> layers, Boundary boundary);
};

// "12,14,20-27" as a list of layers; "last", "text" or a count of at least 1.
Result<std::vector<int>> parse_layer_list(std::string_view text);
Result<Boundary> parse_boundary(std::string_view text);
std::string to_string(const Boundary& boundary);

// The positions [begin, end) that one picture takes in a prompt.
struct TokenSpan {
  int64_t begin = 0;
  int64_t end = 0;
};

// The first position that runs in full: at least the last one does, and no picture is cut in two (the boundary grows to
// the picture's first token). `pictures` ascending, inside [0, prompt_tokens).
int64_t boundary_begin(const Boundary& boundary, int64_t prompt_tokens, std::span<const TokenSpan> pictures);

}  // namespace poplens
