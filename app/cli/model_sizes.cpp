#include "app/cli/model_sizes.h"

namespace poplens::cli {
namespace {

// A linear layer with bias.
int64_t linear(int64_t out, int64_t in) {
  return out * in + out;
}

// A block of a vision transformer: two norms, attention, MLP.
int64_t vit_block(int64_t hidden, int64_t intermediate) {
  return 4 * hidden + 4 * linear(hidden, hidden) + linear(intermediate, hidden) + linear(hidden, intermediate);
}

}  // namespace

int64_t layer_parameters(const DecoderSpec& spec) {
  const int64_t attention = spec.hidden * (2 * spec.query_width() + 2 * spec.kv_width());
  const int64_t feed_forward = 3 * spec.hidden * spec.intermediate;
  const int64_t norms = (spec.post_norms ? 4 : 2) * spec.hidden + (spec.qk_norm ? 2 * spec.head_dim : 0);
  return attention + feed_forward + norms;
}

int64_t decoder_parameters(const DecoderSpec& spec) {
  const int64_t embedding = spec.vocab * spec.hidden;
  return (spec.tied_head ? 1 : 2) * embedding + spec.layer_count() * layer_parameters(spec) + spec.hidden;
}

int64_t tower_parameters(const Qwen3VlVisionSpec& spec) {
  const int64_t d = spec.hidden;
  const int64_t merged = spec.merged_width();
  const int64_t patches = linear(d, spec.patch_values()) + int64_t{spec.position_side} * spec.position_side * d;
  const int64_t merger = linear(merged, merged) + linear(spec.out_hidden, merged);
  const auto taps = static_cast<int64_t>(spec.deepstack_blocks.size());
  return patches + spec.depth * vit_block(d, spec.intermediate) + (merger + 2 * d) + taps * (merger + 2 * merged);
}

int64_t tower_parameters(const SiglipSpec& spec) {
  const int64_t d = spec.hidden;
  const int64_t patches = linear(d, spec.patch_values()) + spec.patches() * d;
  const int64_t projector = d + spec.out_hidden * d;
  return patches + spec.depth * vit_block(d, spec.intermediate) + 2 * d + projector;
}

Result<int64_t> model_parameters(const ModelConfig& config) {
  const int64_t decoder = decoder_parameters(config.decoder);
  if (!config.vision_config) return decoder;
  if (config.family == "gemma3") {
    POPLENS_TRY(tower, read_siglip_spec(*config.vision_config, config.decoder.hidden));
    return decoder + tower_parameters(tower);
  }
  POPLENS_TRY(tower, read_qwen3_vl_vision_spec(*config.vision_config, config.decoder.hidden));
  return decoder + tower_parameters(tower);
}

}  // namespace poplens::cli
