#include "engine/model/config_fields.h"

#include <cmath>

namespace poplens {
namespace {

constexpr int64_t kMostLayers = 1'000;
constexpr int64_t kMostHeads = 1'024;
constexpr int64_t kMostWidth = 1 << 20;
constexpr int64_t kMostVocab = 1 << 24;
constexpr int64_t kMostContext = int64_t{1} << 30;
constexpr int64_t kWidestHead = 256;

Result<double> positive(const JsonObject& object, const std::string& key, std::optional<double> fallback = {}) {
  POPLENS_TRY(value, object.number(key, fallback));
  if (!(value > 0.0)) return Error{object.where() + ": '" + key + "' is not positive"};
  return value;
}

Result<void> scale_llama3(const JsonObject& rope, const JsonObject& text, std::vector<float>& frequencies) {
  POPLENS_TRY(factor, positive(rope, "factor"));
  POPLENS_TRY(low, positive(rope, "low_freq_factor"));
  POPLENS_TRY(high, positive(rope, "high_freq_factor"));
  POPLENS_TRY(context, text.integer("max_position_embeddings", 1, kMostContext));
  POPLENS_TRY(original, positive(rope, "original_max_position_embeddings", static_cast<double>(context)));
  if (high <= low) return Error{rope.where() + ": 'high_freq_factor' is not above 'low_freq_factor'"};
  for (float& frequency : frequencies) {
    const double wavelength = 2.0 * M_PI / frequency;
    if (wavelength > original / low) {
      frequency = static_cast<float>(frequency / factor);
    } else if (wavelength >= original / high) {
      const double smooth = (original / wavelength - low) / (high - low);
      frequency = static_cast<float>((1.0 - smooth) * frequency / factor + smooth * frequency);
    }
  }
  return {};
}

}  // namespace

Result<DecoderSpec> read_decoder_sizes(const JsonObject& text, int64_t default_head_dim) {
  DecoderSpec spec;
  POPLENS_TRY(hidden, text.integer("hidden_size", 1, kMostWidth));
  POPLENS_TRY(intermediate, text.integer("intermediate_size", 1, kMostWidth));
  POPLENS_TRY(layers, text.integer("num_hidden_layers", 1, kMostLayers));
  POPLENS_TRY(heads, text.integer("num_attention_heads", 1, kMostHeads));
  POPLENS_TRY(kv_heads, text.integer("num_key_value_heads", 1, kMostHeads, heads));
  const int64_t fallback_head_dim = default_head_dim != 0 ? default_head_dim : hidden / heads;
  POPLENS_TRY(head_dim, text.integer("head_dim", 1, kMostWidth, fallback_head_dim));
  POPLENS_TRY(vocab, text.integer("vocab_size", 1, kMostVocab));
  POPLENS_TRY(context, text.integer("max_position_embeddings", 1, kMostContext));
  POPLENS_TRY(eps, text.number("rms_norm_eps", 1e-6));
  POPLENS_TRY(bias, text.boolean("attention_bias", false));

  if (heads % kv_heads != 0) {
    return Error{text.where() + ": " + std::to_string(heads) + " attention heads cannot share " +
                 std::to_string(kv_heads) + " key/value heads"};
  }
  if (head_dim < 4 || head_dim % 4 != 0 || head_dim > kWidestHead) {
    return Error{text.where() + ": 'head_dim' is " + std::to_string(head_dim) +
                 ", this engine runs multiples of 4 up to " + std::to_string(kWidestHead)};
  }
  if (bias) return Error{text.where() + ": 'attention_bias' is true, which this engine does not support"};
  if (!(eps > 0.0 && eps < 1.0)) return Error{text.where() + ": 'rms_norm_eps' is out of range"};

  spec.hidden = hidden;
  spec.intermediate = intermediate;
  spec.heads = static_cast<int>(heads);
  spec.kv_heads = static_cast<int>(kv_heads);
  spec.head_dim = static_cast<int>(head_dim);
  spec.vocab = vocab;
  spec.context = context;
  spec.norm_eps = static_cast<float>(eps);
  spec.layers.resize(static_cast<size_t>(layers));
  spec.attention_scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(head_dim)));
  return spec;
}

std::vector<float> inverse_frequencies(double theta, int head_dim) {
  std::vector<float> frequencies(static_cast<size_t>(head_dim / 2));
  for (size_t j = 0; j < frequencies.size(); ++j) {
    const float exponent = static_cast<float>(2 * j) / static_cast<float>(head_dim);
    const auto power = static_cast<float>(std::pow(theta, static_cast<double>(exponent)));
    frequencies[j] = 1.0F / power;
  }
  return frequencies;
}

Result<RopeSpec> read_scaled_rope(const JsonObject& rope, double theta, int head_dim, const JsonObject& text) {
  POPLENS_TRY(type, rope.text(rope.has("rope_type") ? "rope_type" : "type", "default"));
  if (theta <= 1.0) return Error{rope.where() + ": 'rope_theta' is out of range"};
  RopeSpec spec;
  spec.inverse_frequency = inverse_frequencies(theta, head_dim);
  spec.axis.assign(spec.inverse_frequency.size(), 0);
  if (type == "linear") {
    POPLENS_TRY(factor, positive(rope, "factor"));
    for (float& frequency : spec.inverse_frequency) frequency /= static_cast<float>(factor);
  } else if (type == "llama3") {
    POPLENS_CHECK(scale_llama3(rope, text, spec.inverse_frequency));
  } else if (type != "default") {
    return Error{rope.where() + ": RoPE of type '" + type + "' is not supported (default, linear, llama3 are)"};
  }
  return spec;
}

}  // namespace poplens
