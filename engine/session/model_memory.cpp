#include "engine/session/model_memory.h"

#include <algorithm>

#include "engine/session/kv_cache.h"

namespace poplens {
namespace {

constexpr int64_t kUsualTokens = 4096;

}  // namespace

RunningMemory running_memory(const DecoderSpec& decoder, DType activations, int64_t chunk_tokens) {
  const int64_t tokens = std::min(decoder.context, kUsualTokens);
  return {
      .tokens = tokens,
      .bytes_per_token = 2 * decoder.layer_count() * decoder.kv_width() * size_of(activations),
      .kv_cache_bytes = KvCache::bytes(decoder, activations, tokens),
      .workspace_bytes = Decoder(decoder, {}, nullptr, activations).workspace_bytes(std::min(chunk_tokens, tokens))};
}

}  // namespace poplens
