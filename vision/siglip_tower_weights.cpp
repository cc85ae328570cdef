#include <algorithm>
#include <cmath>

#include "vision/siglip_tower.h"

namespace poplens {
namespace {

constexpr int64_t kMostWidth = 1 << 20;
constexpr int64_t kMostBlocks = 1'000;
constexpr int64_t kMostSide = 1 << 14;

// The first of `prefixes` under which `name` exists.
Result<std::string> find_prefix(const WeightSource& source, std::span<const char* const> prefixes,
                                const std::string& name) {
  for (const char* prefix : prefixes) {
    if (source.has(prefix + name)) return std::string(prefix);
  }
  return Error{"the checkpoint has no vision tower ('" + std::string(prefixes.front()) + name + "')"};
}

constexpr const char* kTowerPrefixes[] = {"vision_tower.vision_model.", "vision_tower.",
                                          "model.vision_tower.vision_model.", "model.vision_tower.",
                                          "vision_model.vision_model."};
constexpr const char* kProjectorPrefixes[] = {"multi_modal_projector.", "model.multi_modal_projector.",
                                              "multimodal_projector."};

Result<VitBlockWeights> load_block(const VitLoader& loader, const SiglipSpec& spec, const std::string& name) {
  POPLENS_TRY(norm1, loader.norm(name + ".layer_norm1", spec.hidden));
  POPLENS_TRY(norm2, loader.norm(name + ".layer_norm2", spec.hidden));
  POPLENS_TRY(q, loader.linear(name + ".self_attn.q_proj", spec.hidden, spec.hidden));
  POPLENS_TRY(k, loader.linear(name + ".self_attn.k_proj", spec.hidden, spec.hidden));
  POPLENS_TRY(v, loader.linear(name + ".self_attn.v_proj", spec.hidden, spec.hidden));
  POPLENS_TRY(proj, loader.linear(name + ".self_attn.out_proj", spec.hidden, spec.hidden));
  POPLENS_TRY(fc1, loader.linear(name + ".mlp.fc1", spec.intermediate, spec.hidden));
  POPLENS_TRY(fc2, loader.linear(name + ".mlp.fc2", spec.hidden, spec.intermediate));
  return VitBlockWeights{norm1, norm2, {q, k, v}, proj, fc1, fc2};
}

// The file holds the projection as [D, out] and uses it as x · W; the backend multiplies by W^T.
Result<DeviceMatrix> load_projection(const SiglipSpec& spec, const WeightSource& source, Backend& backend,
                                     const std::string& name, DType dtype) {
  POPLENS_TRY(stored, place_matrix(source, backend, name, spec.hidden, spec.out_hidden));
  std::vector<float> values(static_cast<size_t>(spec.hidden * spec.out_hidden));
  backend.read_back(stored.view, values);
  std::vector<float> transposed(values.size());
  for (int64_t row = 0; row < spec.hidden; ++row) {
    for (int64_t col = 0; col < spec.out_hidden; ++col) {
      transposed[static_cast<size_t>(col * spec.hidden + row)] =
          values[static_cast<size_t>(row * spec.out_hidden + col)];
    }
  }
  POPLENS_TRY(array, allocate_array(backend, dtype, spec.out_hidden, spec.hidden));
  backend.write(transposed, array.view());
  return DeviceMatrix{array.view(), array.buffer};
}

}  // namespace

Result<SiglipSpec> read_siglip_spec(const JsonObject& config, int64_t decoder_hidden) {
  POPLENS_TRY(depth, config.integer("num_hidden_layers", 1, kMostBlocks));
  POPLENS_TRY(hidden, config.integer("hidden_size", 1, kMostWidth));
  POPLENS_TRY(intermediate, config.integer("intermediate_size", 1, kMostWidth));
  POPLENS_TRY(heads, config.integer("num_attention_heads", 1, 1'024));
  POPLENS_TRY(image_size, config.integer("image_size", 1, kMostSide));
  POPLENS_TRY(patch_size, config.integer("patch_size", 1, kMostSide));
  POPLENS_TRY(channels, config.integer("num_channels", 1, 16, 3));
  POPLENS_TRY(eps, config.number("layer_norm_eps", 1e-6));
  POPLENS_TRY(activation, config.text("hidden_act", "gelu_pytorch_tanh"));
  POPLENS_TRY(tokens, config.integer("mm_tokens_per_image", 1, kMostWidth, 256));
  if (channels != 3) return Error{config.where() + ": 'num_channels' is not 3"};
  if (activation != "gelu_pytorch_tanh") {
    return Error{config.where() + ": 'hidden_act' is '" + activation + "', expected 'gelu_pytorch_tanh'"};
  }
  if (!(eps > 0.0 && eps < 1.0)) return Error{config.where() + ": 'layer_norm_eps' is out of range"};
  POPLENS_CHECK(check_vit_heads(config.where(), hidden, heads));
  const int64_t side = image_size / patch_size;
  const auto tokens_side = static_cast<int64_t>(std::lround(std::sqrt(static_cast<double>(tokens))));
  if (side == 0 || tokens_side * tokens_side != tokens || side % tokens_side != 0) {
    return Error{config.where() + ": " + std::to_string(side) + " patches a side cannot be averaged to " +
                 std::to_string(tokens) + " tokens"};
  }
  return SiglipSpec{.depth = static_cast<int>(depth),
                    .hidden = hidden,
                    .intermediate = intermediate,
                    .heads = static_cast<int>(heads),
                    .image_size = static_cast<int>(image_size),
                    .patch_size = static_cast<int>(patch_size),
                    .tokens_side = static_cast<int>(tokens_side),
                    .out_hidden = decoder_hidden,
                    .norm_eps = static_cast<float>(eps)};
}

Result<SiglipWeights> load_siglip(const SiglipSpec& spec, const WeightSource& source, Backend& backend) {
  POPLENS_TRY(tower, find_prefix(source, kTowerPrefixes, "embeddings.patch_embedding.weight"));
  POPLENS_TRY(projector, find_prefix(source, kProjectorPrefixes, "mm_input_projection_weight"));
  const VitLoader loader(source, backend, tower);
  SiglipWeights weights;
  POPLENS_TRY(patch_embed, loader.linear("embeddings.patch_embedding", spec.hidden, spec.patch_values()));
  POPLENS_TRY(positions, loader.table("embeddings.position_embedding", spec.patches(), spec.hidden));
  weights.patch_embed = patch_embed;
  weights.positions = std::move(positions);
  for (int i = 0; i < spec.depth; ++i) {
    POPLENS_TRY(block, load_block(loader, spec, "encoder.layers." + std::to_string(i)));
    weights.blocks.push_back(std::move(block));
  }
  POPLENS_TRY(post_norm, loader.norm("post_layernorm", spec.hidden));
  POPLENS_TRY(soft_norm, place_vector(source, backend, projector + "mm_soft_emb_norm.weight", spec.hidden, 1.0F));
  POPLENS_TRY(projection, load_projection(spec, source, backend, projector + "mm_input_projection_weight",
                                          patch_embed.weight.view.dtype));
  weights.post_norm = post_norm;
  weights.soft_norm = soft_norm;
  weights.projection = projection;
  return weights;
}

}  // namespace poplens
