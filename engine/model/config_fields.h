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

}  // namespace poplens
