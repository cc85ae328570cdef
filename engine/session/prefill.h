// Reading a prompt in, chunk by chunk, under a plan.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>

#include "engine/model/decoder.h"
#include "engine/session/image_encoder.h"
#include "engine/session/kv_cache.h"
#include "engine/session/prompt.h"

namespace poplens {

struct PrefillJob {
  const Prompt& prompt;
  const PopPlan& plan;
  int64_t first = 0;            // positions below are in the cache already
  int64_t outputs_from = 0;     // positions below need no output of the last layer; at most prompt.tokens() - 1
  int64_t chunk_tokens = 1024;  // at least 1; a chunk grows to the end of a picture whose attention runs both ways
  // One per picture of the prompt; may be missing where the picture lies below `first`.
  std::span<const std::optional<PictureFeatures>> features;
  const VirtualGates* gates = nullptr;  // null: all 1

  std::function<void(int64_t done, int64_t total)> on_layer;  // layers over all chunks
  std::function<void()> on_boundary;  // before the first pruned layer that rows of the boundary run through
  std::function<void(int64_t begin, int64_t end)> after_chunk;  // these positions are in the cache now
  std::stop_token stop;
};

struct PrefillOutcome {
  double prefill_ms = 0.0;   // without the boundary
  double boundary_ms = 0.0;  // 0 under the empty plan
  int64_t last_row = 0;      // of the prompt's last position in the chunk that ran last: Decoder::logits(last_row, 1)
  PrefillTrace trace;
};

// Features of the part of every picture that lies in positions [begin, end), for a chunk that begins there. A picture
// without features is left out.
std::vector<PictureRows> picture_rows(const Prompt& prompt, std::span<const std::optional<PictureFeatures>> features,
                                      int64_t begin, int64_t end);

// Rows of the largest chunk that the job will run: what Decoder::reserve() needs.
int64_t largest_chunk(const DecoderSpec& spec, const Prompt& prompt, int64_t first, int64_t chunk_tokens);

// `cache` has room for the prompt and holds the positions below job.first. After a failure it holds the chunks that
// after_chunk() told of.
Result<PrefillOutcome> run_prefill(Decoder& decoder, const KvCache& cache, const PrefillJob& job);

}  // namespace poplens
