#include <cmath>

#include "vision/qwen3_vl_tower.h"

namespace poplens {
namespace {

constexpr int64_t kMostWidth = 1 << 20;
constexpr int64_t kMostBlocks = 1'000;

Result<Qwen3VlMergerWeights> load_merger(const VitLoader& loader, const Qwen3VlVisionSpec& spec,
                                         const std::string& name, int64_t norm_width) {
  const int64_t merged = spec.merged_width();
  POPLENS_TRY(norm, loader.norm(name + ".norm", norm_width));
  POPLENS_TRY(fc1, loader.linear(name + ".linear_fc1", merged, merged));
  POPLENS_TRY(fc2, loader.linear(name + ".linear_fc2", spec.out_hidden, merged));
  return Qwen3VlMergerWeights{norm, fc1, fc2};
}

Result<VitBlockWeights> load_block(const VitLoader& loader, const Qwen3VlVisionSpec& spec, const std::string& name) {
  POPLENS_TRY(norm1, loader.norm(name + ".norm1", spec.hidden));
  POPLENS_TRY(norm2, loader.norm(name + ".norm2", spec.hidden));
  POPLENS_TRY(qkv, loader.linear(name + ".attn.qkv", 3 * spec.hidden, spec.hidden));
  POPLENS_TRY(proj, loader.linear(name + ".attn.proj", spec.hidden, spec.hidden));
  POPLENS_TRY(fc1, loader.linear(name + ".mlp.linear_fc1", spec.intermediate, spec.hidden));
  POPLENS_TRY(fc2, loader.linear(name + ".mlp.linear_fc2", spec.hidden, spec.intermediate));
  return VitBlockWeights{norm1, norm2, {qkv}, proj, fc1, fc2};
}

Result<std::string> find_prefix(const WeightSource& source) {
  for (const char* prefix : {"model.visual.", "visual.", "vision_tower."}) {
    if (source.has(std::string(prefix) + "patch_embed.proj.weight")) return std::string(prefix);
  }
  return Error{"the checkpoint has no vision tower ('model.visual.patch_embed.proj.weight')"};
}

}  // namespace

Result<Qwen3VlVisionSpec> read_qwen3_vl_vision_spec(const JsonObject& config, int64_t decoder_hidden) {
  POPLENS_TRY(depth, config.integer("depth", 1, kMostBlocks));
  POPLENS_TRY(hidden, config.integer("hidden_size", 1, kMostWidth));
  POPLENS_TRY(intermediate, config.integer("intermediate_size", 1, kMostWidth));
  POPLENS_TRY(heads, config.integer("num_heads", 1, 1'024));
  POPLENS_TRY(patch_size, config.integer("patch_size", 1, 256, 16));
  POPLENS_TRY(temporal, config.integer("temporal_patch_size", 1, 16, 2));
  POPLENS_TRY(merge, config.integer("spatial_merge_size", 1, 16, 2));
  POPLENS_TRY(positions, config.integer("num_position_embeddings", 1, kMostWidth, 2304));
  POPLENS_TRY(out_hidden, config.integer("out_hidden_size", 1, kMostWidth));
  POPLENS_TRY(channels, config.integer(config.has("in_channels") ? "in_channels" : "in_chans", 1, 16, 3));
  POPLENS_TRY(activation, config.text("hidden_act", "gelu_pytorch_tanh"));
  if (channels != 3) return Error{config.where() + ": 'in_channels' is not 3"};
  if (activation != "gelu_pytorch_tanh") {
    return Error{config.where() + ": 'hidden_act' is '" + activation + "', expected 'gelu_pytorch_tanh'"};
  }
  POPLENS_CHECK(check_vit_heads(config.where(), hidden, heads));
  const auto side = static_cast<int64_t>(std::lround(std::sqrt(static_cast<double>(positions))));
  if (side * side != positions) return Error{config.where() + ": 'num_position_embeddings' is not a square"};
  if (out_hidden != decoder_hidden) {
    return Error{config.where() + ": 'out_hidden_size' is " + std::to_string(out_hidden) + ", but the decoder's " +
                 "hidden size is " + std::to_string(decoder_hidden)};
  }
  std::vector<int64_t> taps{8, 16, 24};
  if (config.has("deepstack_visual_indexes")) {
    POPLENS_TRY(found, config.integers("deepstack_visual_indexes", 0, depth - 1, 64));
    taps = found;
  }
  for (size_t i = 0; i < taps.size(); ++i) {
    if (taps[i] >= depth || (i > 0 && taps[i] <= taps[i - 1])) {
      return Error{config.where() + ": 'deepstack_visual_indexes' is not an ascending list of the tower's blocks"};
    }
  }
  return Qwen3VlVisionSpec{.depth = static_cast<int>(depth),
                           .hidden = hidden,
                           .intermediate = intermediate,
                           .heads = static_cast<int>(heads),
                           .patch_size = static_cast<int>(patch_size),
                           .temporal_patch_size = static_cast<int>(temporal),
                           .merge_size = static_cast<int>(merge),
                           .position_side = static_cast<int>(side),
                           .out_hidden = out_hidden,
                           .deepstack_blocks = {taps.begin(), taps.end()}};
}

Result<Qwen3VlTowerWeights> load_qwen3_vl_tower(const Qwen3VlVisionSpec& spec, const WeightSource& source,
                                                Backend& backend) {
  POPLENS_TRY(prefix, find_prefix(source));
  const VitLoader loader(source, backend, prefix);
  Qwen3VlTowerWeights weights;
  POPLENS_TRY(patch_embed, loader.linear("patch_embed.proj", spec.hidden, spec.patch_values()));
  weights.patch_embed = patch_embed;
  POPLENS_TRY(positions, loader.table("pos_embed", int64_t{spec.position_side} * spec.position_side, spec.hidden));
  weights.positions = std::move(positions);
  for (int i = 0; i < spec.depth; ++i) {
    POPLENS_TRY(block, load_block(loader, spec, "blocks." + std::to_string(i)));
    weights.blocks.push_back(std::move(block));
  }
  POPLENS_TRY(merger, load_merger(loader, spec, "merger", spec.hidden));
  weights.merger = std::move(merger);
  for (size_t i = 0; i < spec.deepstack_blocks.size(); ++i) {
    POPLENS_TRY(deepstack,
                load_merger(loader, spec, "deepstack_merger_list." + std::to_string(i), spec.merged_width()));
    weights.deepstack_mergers.push_back(std::move(deepstack));
  }
  return weights;
}

}  // namespace poplens
