// Parts of config.json that several families spell alike.
#pragma once

#include "engine/base/json_file.h"
#include "engine/model/decoder_spec.h"

namespace poplens {

// Sizes, norms and head layout of a decoder from its (text) config. head_dim falls back to `default_head_dim`, or where
// that is 0 to hidden / heads. Checks that they fit each other and what the engine can run.
Result<DecoderSpec> read_decoder_sizes(const JsonObject& text, int64_t default_head_dim);

// theta^(-2j / head_dim) for j < head_dim / 2, in the single-precision steps that transformers takes.
std::vector<float> inverse_frequencies(double theta, int head_dim);

// One-dimensional RoPE of the type that `rope` names: default, linear (frequencies divided by the factor) or llama3
// (long wavelengths divided, a smooth passage between; transformers modeling_rope_utils). `text` holds
// max_position_embeddings, which stands in for a missing original_max_position_embeddings.
Result<RopeSpec> read_scaled_rope(const JsonObject& rope, double theta, int head_dim, const JsonObject& text);

}  // namespace poplens
