#include "engine/pop/plan.h"

#include <algorithm>
#include <charconv>

namespace poplens {
namespace {

Result<int64_t> parse_count(std::string_view text, std::string_view what) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0) {
    return Error{std::string(what) + ": '" + std::string(text) + "' is not a number"};
  }
  return value;
}

constexpr int64_t kMostLayers = 100'000;

}  // namespace

bool PopPlan::prunes(int layer) const {
  return std::binary_search(layers.begin(), layers.end(), layer);
}

Result<PopPlan> PopPlan::suffix(int layer_count, int depth, Boundary boundary) {
  if (depth < 0 || depth > layer_count) {
    return Error{"pruning depth " + std::to_string(depth) + ": the model has " + std::to_string(layer_count) +
                 " layers"};
  }
  PopPlan plan{.boundary = boundary};
  for (int layer = layer_count - depth; layer < layer_count; ++layer) plan.layers.push_back(layer);
  return plan;
}

Result<PopPlan> PopPlan::of_layers(int layer_count, std::vector<int> layers, Boundary boundary) {
  std::sort(layers.begin(), layers.end());
  layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
  for (const int layer : layers) {
    if (layer < 0 || layer >= layer_count) {
      return Error{"pruned layer " + std::to_string(layer) + ": the model has layers 0 to " +
                   std::to_string(layer_count - 1)};
    }
  }
  return PopPlan{.layers = std::move(layers), .boundary = boundary};
}

Result<std::vector<int>> parse_layer_list(std::string_view text) {
  std::vector<int> layers;
  while (true) {
    const size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    const size_t dash = item.find('-');
    POPLENS_TRY(first, parse_count(item.substr(0, dash), "layer list"));
    int64_t last = first;
    if (dash != std::string_view::npos) {
      POPLENS_TRY(parsed, parse_count(item.substr(dash + 1), "layer list"));
      last = parsed;
    }
    if (last < first) return Error{"layer list: '" + std::string(item) + "' runs backwards"};
    if (last >= kMostLayers) return Error{"layer list: '" + std::string(item) + "' names no layer of any model"};
    for (int64_t layer = first; layer <= last; ++layer) layers.push_back(static_cast<int>(layer));
    if (comma == std::string_view::npos) return layers;
    text.remove_prefix(comma + 1);
  }
}

Result<Boundary> parse_boundary(std::string_view text) {
  if (text == "last") return Boundary{Boundary::Kind::last, 1};
  if (text == "text") return Boundary{Boundary::Kind::text, 1};
  auto count = parse_count(text, "boundary");
  if (!count.ok() || *count < 1) {
    return Error{"boundary '" + std::string(text) + "': give last, text or a number of positions (1 or more)"};
  }
  return Boundary{Boundary::Kind::count, *count};
}

std::string to_string(const Boundary& boundary) {
  switch (boundary.kind) {
    case Boundary::Kind::last:
      return "last";
    case Boundary::Kind::text:
      return "text";
    case Boundary::Kind::count:
      break;
  }
  return std::to_string(boundary.tokens);
}

int64_t boundary_begin(const Boundary& boundary, int64_t prompt_tokens, std::span<const TokenSpan> pictures) {
  int64_t begin = prompt_tokens - 1;
  if (boundary.kind == Boundary::Kind::count) {
    begin = prompt_tokens - std::clamp<int64_t>(boundary.tokens, 1, prompt_tokens);
  } else if (boundary.kind == Boundary::Kind::text && !pictures.empty()) {
    begin = std::min(begin, pictures.back().end);
  }
  for (const TokenSpan& picture : pictures) {
    if (picture.begin < begin && begin < picture.end) begin = picture.begin;
  }
  return begin;
}

}  // namespace poplens
