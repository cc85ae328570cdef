#include "engine/session/fingerprint.h"

#include <algorithm>
#include <string_view>

#include "engine/tokenizer/sha256.h"

namespace poplens {
namespace {

constexpr int64_t kRowsOfEmbedding = 16;
constexpr int64_t kRowsOfMatrix = 2;

// `count` rows spread over the matrix.
void append_rows(Backend& backend, ConstMatrix matrix, int64_t count, std::vector<float>& values) {
  for (int64_t i = 0; i < std::min(count, matrix.rows); ++i) {
    const int64_t row = (2 * i + 1) * matrix.rows / (2 * std::min(count, matrix.rows));
    const size_t at = values.size();
    values.resize(at + static_cast<size_t>(matrix.cols));
    backend.read_back(matrix.row_range(row, 1), std::span(values).subspan(at));
  }
}

std::string hash_of(const DecoderWeights& weights, Backend& backend) {
  std::vector<float> values;
  append_rows(backend, weights.embed.view, kRowsOfEmbedding, values);
  for (const LayerWeights& layer : weights.layers) {
    for (const DeviceMatrix* matrix : {&layer.q, &layer.k, &layer.v, &layer.o, &layer.gate, &layer.up, &layer.down}) {
      append_rows(backend, matrix->view, kRowsOfMatrix, values);
    }
  }
  return sha256_hex({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

}  // namespace

ModelFingerprint fingerprint_of(const LoadedModel& model) {
  const DecoderSpec& spec = model.decoder->spec();
  return {.family = model.prompts->config().family,
          .layers = spec.layer_count(),
          .hidden = spec.hidden,
          .intermediate = spec.intermediate,
          .heads = spec.heads,
          .kv_heads = spec.kv_heads,
          .vocab = spec.vocab,
          .weights = hash_of(model.decoder->weights(), model.decoder->backend())};
}

}  // namespace poplens
