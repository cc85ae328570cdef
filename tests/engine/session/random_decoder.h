// A small decoder of random weights, and prefills of made-up prompts through it: what the tests of rows and bits run.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/session/prefill.h"

namespace poplens::test {

struct RandomDecoderOptions {
  DType activations = DType::f32;
  int layers = 6;
  int64_t context = 1 << 20;
  int deepstack_layers = 2;
  bool both_ways = false;
  bool post_norms = false;
};

std::shared_ptr<Decoder> random_decoder(const RandomDecoderOptions& options);

// Text with pictures at the given spans, and random features for them.
struct RandomPrompt {
  Prompt prompt;
  std::vector<std::optional<PictureFeatures>> features;
};
RandomPrompt random_prompt(Decoder& decoder, int64_t tokens, const std::vector<TokenSpan>& pictures);

struct PrefillSetup {
  PopPlan plan;
  int64_t chunk_tokens = 1024;
  int64_t outputs_from = -1;  // -1: the last position only
  const VirtualGates* gates = nullptr;
};

struct PrefillResult {
  PrefillOutcome outcome;
  std::vector<float> logits;               // of the last position
  std::vector<std::vector<float>> keys;    // per layer [tokens, kv_width]
  std::vector<std::vector<float>> values;  // per layer [tokens, kv_width]
  std::vector<std::pair<int64_t, int64_t>> chunks;
  std::vector<int64_t> layers_done;         // what on_layer() told
  std::vector<size_t> boundary_told_after;  // how many layers were done when on_boundary() came
};

// Prefills into a cache of its own, or on from position `first` of `cache`.
PrefillResult prefill(Decoder& decoder, const RandomPrompt& random, const PrefillSetup& setup, KvCache* cache = nullptr,
                      int64_t first = 0);

}  // namespace poplens::test
