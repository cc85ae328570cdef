// What a model takes to run, beside its weights.
#pragma once

#include <cstdint>

#include "engine/backend/tensor.h"
#include "engine/model/decoder_spec.h"

namespace poplens {

struct RunningMemory {
  int64_t tokens = 0;           // that the figures are for: a usual prompt, or all that the context holds
  int64_t bytes_per_token = 0;  // of the KV cache
  int64_t kv_cache_bytes = 0;
  int64_t workspace_bytes = 0;  // of a prefill in chunks of `chunk_tokens`
};

RunningMemory running_memory(const DecoderSpec& decoder, DType activations, int64_t chunk_tokens = 1024);

}  // namespace poplens
