#include "tests/engine/session/random_decoder.h"

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>

#include "engine/backend/cpu/cpu_backend.h"

namespace poplens::test {
namespace {

template <typename T>
T take(Result<T> result) {
  if (!result.ok()) {
    std::cerr << "random decoder: " << result.error().message << "\n";
    std::exit(1);
  }
  return std::move(result).value();
}

DecoderSpec random_spec(const RandomDecoderOptions& options) {
  DecoderSpec spec;
  spec.hidden = 40;
  spec.intermediate = 72;
  spec.heads = 4;
  spec.kv_heads = 2;
  spec.head_dim = 16;
  spec.vocab = 50;
  spec.context = options.context;
  spec.layers.resize(static_cast<size_t>(options.layers));
  RopeSpec rope;
  for (int j = 0; j < spec.head_dim / 2; ++j) {
    rope.inverse_frequency.push_back(std::pow(10'000.0F, -2.0F * static_cast<float>(j) / 16.0F));
    rope.axis.push_back(static_cast<uint8_t>(j % 3));
  }
  spec.ropes = {rope};
  spec.norm_eps = 1e-6F;
  spec.qk_norm = true;
  spec.attention_scale = 1.0F;  // far from uniform attention
  spec.deepstack_layers = options.deepstack_layers;
  spec.image_positions_2d = true;
  spec.image_attends_both_ways = options.both_ways;
  spec.post_norms = options.post_norms;
  return spec;
}

DeviceArray random_array(Backend& backend, std::mt19937& random, int64_t rows, int64_t cols) {
  std::normal_distribution<float> normal(0.0F, 1.0F);
  std::vector<float> values(static_cast<size_t>(rows * cols));
  for (float& value : values) value = normal(random);
  DeviceArray array = take(allocate_array(backend, DType::f32, rows, cols));
  backend.write(values, array.view());
  return array;
}

std::vector<float> read_rows(Backend& backend, const Matrix& matrix, int64_t rows) {
  std::vector<float> values(static_cast<size_t>(rows * matrix.cols));
  backend.read_back(matrix.row_range(0, rows), values);
  return values;
}

}  // namespace

std::shared_ptr<Decoder> random_decoder(const RandomDecoderOptions& options) {
  const std::shared_ptr<Backend> backend = take(make_cpu_backend({.threads = 2}));
  const TensorNames names{.prefixes = {"model."},
                          .heads = {"lm_head.weight"},
                          .pre_feedforward_norm = "pre_feedforward_layernorm",
                          .post_attention_norm = "post_attention_layernorm",
                          .post_feedforward_norm = "post_feedforward_layernorm"};
  const RandomSource source(5, /*tied_head=*/false);
  DecoderSpec spec = random_spec(options);
  DecoderWeights weights = take(load_decoder_weights(spec, names, source, *backend));
  return std::make_shared<Decoder>(std::move(spec), std::move(weights), backend, options.activations);
}

RandomPrompt random_prompt(Decoder& decoder, int64_t tokens, const std::vector<TokenSpan>& pictures) {
  std::mt19937 random(17);
  RandomPrompt result;
  for (int64_t t = 0; t < tokens; ++t) {
    result.prompt.ids.push_back(static_cast<int32_t>(random() % static_cast<uint64_t>(decoder.spec().vocab)));
    const auto position = static_cast<int32_t>(t);
    result.prompt.positions.push_back({position, position, position});
  }
  for (const TokenSpan& span : pictures) {
    const int64_t count = span.end - span.begin;
    result.prompt.pictures.push_back({span, {}});
    PictureFeatures features{.main = random_array(decoder.backend(), random, count, decoder.spec().hidden)};
    for (int i = 0; i < decoder.spec().deepstack_layers; ++i) {
      features.deepstack.push_back(random_array(decoder.backend(), random, count, decoder.spec().hidden));
    }
    result.features.push_back(std::move(features));
  }
  return result;
}

PrefillResult prefill(Decoder& decoder, const RandomPrompt& random, const PrefillSetup& setup, KvCache* cache,
                      int64_t first) {
  KvCache own;
  KvCache& used = cache != nullptr ? *cache : own;
  const int64_t tokens = random.prompt.tokens();
  if (auto reserved = used.reserve(decoder, tokens, first); !reserved.ok()) std::exit(1);

  PrefillResult result;
  const PrefillJob job{.prompt = random.prompt,
                       .plan = setup.plan,
                       .first = first,
                       .outputs_from = setup.outputs_from < 0 ? tokens - 1 : setup.outputs_from,
                       .chunk_tokens = setup.chunk_tokens,
                       .features = random.features,
                       .gates = setup.gates,
                       .on_layer = [&](int64_t done, int64_t) { result.layers_done.push_back(done); },
                       .on_boundary = [&] { result.boundary_told_after.push_back(result.layers_done.size()); },
                       .after_chunk = [&](int64_t begin, int64_t end) { result.chunks.emplace_back(begin, end); },
                       .stop = {}};
  result.outcome = take(run_prefill(decoder, used, job));
  result.logits.resize(static_cast<size_t>(decoder.spec().vocab));
  decoder.logits(result.outcome.last_row, 1, result.logits);
  for (const KvView& layer : used.layers()) {
    result.keys.push_back(read_rows(decoder.backend(), layer.k, tokens));
    result.values.push_back(read_rows(decoder.backend(), layer.v, tokens));
  }
  return result;
}

}  // namespace poplens::test
