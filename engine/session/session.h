// One conversation with a model: picture → vision → prefill under a plan → answer, and the cache that carries it from
// turn to turn. Front ends hand in a request and read the events; none glues stages together itself.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "engine/session/events.h"
#include "engine/session/feature_cache.h"
#include "engine/session/image_encoder.h"
#include "engine/session/kv_cache.h"
#include "engine/session/prefill.h"
#include "engine/session/prefix_cache.h"
#include "engine/session/prompt.h"
#include "engine/session/prompt_extent.h"
#include "engine/session/sampler.h"

namespace poplens {

struct GenerateRequest {
  PromptRequest prompt;
  PopPlan plan;
  Sampling sampling;
  int64_t max_tokens = 512;
  std::vector<std::string> stop_strings;
  bool reuse_cache = true;         // both caches: of the prompt's prefix and of vision features
  bool keep_first_logits = false;  // to compare first-token distributions
};

enum class FinishReason : uint8_t { stop, length, cancelled };
const char* name_of(FinishReason reason);

struct Answer {
  std::string text;
  std::vector<int32_t> tokens;  // without the stop token
  FinishReason finish_reason = FinishReason::stop;
  int64_t prompt_tokens = 0;
  int64_t image_tokens = 0;
  int64_t reused_tokens = 0;    // taken over from the cache
  int64_t reused_pictures = 0;  // behind those tokens, encoded before
  int64_t boundary_tokens = 0;  // ran in full under the plan
  PopPlan plan;
  PromptExtent computed;  // what of the prompt was not taken over
  double ttft_ms = 0.0;
  StageTimes stages;
  double decode_tokens_per_s = 0.0;  // after the first token; 0 when there is only one
  PrefillTrace trace;
  std::vector<float> first_logits;  // [vocab], if asked for
  std::vector<std::string> warnings;
};

// Logits of prompt positions.
struct PromptLogits {
  std::vector<int32_t> prompt_ids;
  std::vector<int64_t> rows;  // sequence positions, ascending
  std::vector<float> values;  // [rows, vocab]
  PrefillTrace trace;
  std::vector<std::string> warnings;
};

// What prefill_ahead() has done.
struct PrefilledAhead {
  int64_t tokens = 0;         // in the cache now
  int64_t reused_tokens = 0;  // of these, there before
  PopPlan plan;
  PromptExtent computed;
  StageTimes stages;
};

struct SessionOptions {
  int64_t prefill_chunk_tokens = 1024;
  int64_t feature_cache_bytes = int64_t{256} << 20;
};

class Session {
 public:
  // `encoder` may be null: then pictures are refused. The decoder may be shared by sessions that take turns.
  Session(std::shared_ptr<const PromptBuilder> prompts, std::shared_ptr<Decoder> decoder,
          std::shared_ptr<ImageEncoder> encoder, SessionOptions options = {});

  // Everything that can be refused (sizes, context, memory) is refused before any work. A stop during the prefill is a
  // cancelled error; during the answer it ends the answer (FinishReason::cancelled). Either way the session goes on.
  Result<Answer> generate(const GenerateRequest& request, const EventSink& sink = {}, std::stop_token stop = {});

  // Encodes the request's pictures and prefills the prompt up to the last of them: what is known before the question is
  // written. A later generate() with the same pictures and plan goes on from there. Does nothing where there is no
  // picture. Stopped, it leaves what was finished.
  Result<PrefilledAhead> prefill_ahead(const PromptRequest& request, const PopPlan& plan, const EventSink& sink = {},
                                       std::stop_token stop = {});

  // Logits of all prompt positions, or under a plan of the rows that run in full. Uses and leaves no cache.
  Result<PromptLogits> logits(const PromptRequest& request, const PopPlan& plan, std::stop_token stop = {});

  const PromptBuilder& prompts() const { return *prompts_; }
  Decoder& decoder() const { return *decoder_; }
  // Forgets the conversation.
  void forget();
  // Forgets the prompt and its answer, but not what its pictures were encoded to.
  void forget_prompt() { cached_.truncate(0); }

 private:
  struct Run;
  Result<void> encode_pictures(Run& run);
  Result<void> prefill(Run& run);
  Result<void> decode_step(Run& run, int32_t id, PrefillTrace& trace);
  Result<void> decode(Run& run, const GenerateRequest& request, Answer& answer);
  enum class Part : uint8_t { whole, to_last_picture };
  Result<Run> prepare(const PromptRequest& request, Part part, const PopPlan& plan, int64_t max_tokens,
                      const EventSink& sink, std::stop_token stop, bool reuse);
  void take_known_features(Run& run);
  Result<void> find_memory_for(const Run& run);
  Result<void> check_memory_for(const Run& run) const;

  std::shared_ptr<const PromptBuilder> prompts_;
  std::shared_ptr<Decoder> decoder_;
  std::shared_ptr<ImageEncoder> encoder_;
  SessionOptions options_;
  KvCache cache_;
  PrefixCache cached_;
  FeatureCache features_;
};

}  // namespace poplens
