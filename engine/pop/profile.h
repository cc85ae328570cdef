// An importance profile: what each layer's updates are worth to the loss, in the prefill and in the decode, and what it
// costs to prune several layers together (arXiv 2602.03295, section 3; the matrices go beyond it). Kept as JSON, with
// the fingerprint of the model that it was measured on.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/base/result.h"

namespace poplens {

// Tells models apart: sizes, and a hash over values sampled from the weights, which training changes.
struct ModelFingerprint {
  std::string family;
  int64_t layers = 0;
  int64_t hidden = 0;
  int64_t intermediate = 0;
  int64_t heads = 0;
  int64_t kv_heads = 0;
  int64_t vocab = 0;
  std::string weights;  // hexadecimal

  bool operator==(const ModelFingerprint&) const = default;
};

// Whose gates: prefill positions or the others, with the boundary `last`, or `text`.
enum class GateStage : uint8_t { prefill, decode, prefill_text, decode_text };
constexpr size_t kGateStages = 4;
constexpr std::array<GateStage, kGateStages> kAllGateStages = {GateStage::prefill, GateStage::decode,
                                                               GateStage::prefill_text, GateStage::decode_text};
const char* name_of(GateStage stage);

// Of one layer in one stage, in nats of an answer's loss; means over the samples.
struct LayerImportance {
  double gradient = 0.0;  // dl/dg = attention + ffn
  double attention = 0.0;
  double ffn = 0.0;
  double fisher = 0.0;  // (dl/dg)^2
  double attention_fisher = 0.0;
  double ffn_fisher = 0.0;
  std::optional<double> ablation;  // the measured rise of the loss with the gate at 0

  // The expected rise of the loss when the gate goes from 1 to 0: -dl/dg + (dl/dg)^2 / 2.
  double importance() const { return -gradient + fisher / 2.0; }
};

struct StageImportance {
  std::vector<LayerImportance> layers;
  std::vector<double> fisher_matrix;  // [layers, layers]: mean of g · g^T; its diagonal is `fisher`
  std::vector<double> suffix_rises;   // [layers] measured rises with the gates of the last 1, 2, … at 0; or empty

  // The expected rise of the loss when the gates of all of `layers` go to 0: -sum E[g] + sum F_ij / 2.
  double predicted_rise(std::span<const int> layers) const;
  // Spearman's correlation of importance and ablation over the layers; nothing where ablation was not measured.
  std::optional<double> rank_correlation() const;
};

struct ImportanceProfile {
  ModelFingerprint model;
  std::string labels;  // "data" or "model": where the answers came from
  int64_t samples = 0;
  int64_t answer_tokens = 0;
  double loss = 0.0;  // mean over the samples, in nats
  std::array<StageImportance, kGateStages> stages;

  const StageImportance& stage(GateStage which) const { return stages[static_cast<size_t>(which)]; }
};

nlohmann::ordered_json to_json(const ModelFingerprint& fingerprint);
// Every key of the command line's `importance`.
nlohmann::ordered_json to_json(const ImportanceProfile& profile);

// Checks every number and every length. Fails with one sentence that names the file and the key.
Result<ImportanceProfile> read_profile(const std::filesystem::path& path);
// The same, and refuses the profile of another model than `model`.
Result<ImportanceProfile> read_profile_of(const std::filesystem::path& path, const ModelFingerprint& model);

class JsonObject;
Result<ModelFingerprint> read_fingerprint(const JsonObject& object);

}  // namespace poplens
