#include "engine/pop/importance/importance_sums.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace poplens {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr int64_t kMostSamples = int64_t{1} << 40;

std::vector<PositionClass> classes_of(GateStage stage) {
  switch (stage) {
    case GateStage::prefill:
      return {PositionClass::picture, PositionClass::text};
    case GateStage::decode:
      return {PositionClass::answer};
    case GateStage::prefill_text:
      return {PositionClass::picture};
    case GateStage::decode_text:
      break;
  }
  return {PositionClass::text, PositionClass::answer};
}

std::vector<double> stage_gradients(const std::vector<ClassSums>& branch, GateStage stage) {
  std::vector<double> gradients(branch.size(), 0.0);
  for (size_t layer = 0; layer < branch.size(); ++layer) {
    for (const PositionClass part : classes_of(stage)) gradients[layer] += branch[layer][static_cast<size_t>(part)];
  }
  return gradients;
}

Result<std::vector<double>> read_numbers(const JsonObject& object, const std::string& key, size_t count) {
  const Error wrong{object.where() + ": '" + key + "' is not a list of " + std::to_string(count) + " numbers"};
  const json& value = object.value();
  const auto found = value.find(key);
  if (found == value.end() || !found->is_array() || found->size() != count) return wrong;
  std::vector<double> numbers;
  for (const json& entry : *found) {
    if (!entry.is_number() || !std::isfinite(entry.get<double>())) return wrong;
    numbers.push_back(entry.get<double>());
  }
  return numbers;
}

}  // namespace

ImportanceSums::ImportanceSums(int layers) : layers_(static_cast<size_t>(layers)) {
  const std::vector<double> zeros(layers_, 0.0);
  for (StageSums& sums : stages_) {
    sums.attention = sums.ffn = sums.attention_fisher = sums.ffn_fisher = zeros;
    sums.fisher_matrix.assign(layers_ * layers_, 0.0);
  }
}

void ImportanceSums::add_stage(const std::vector<double>& attention, const std::vector<double>& ffn,
                               StageSums& sums) const {
  for (size_t i = 0; i < layers_; ++i) {
    sums.attention[i] += attention[i];
    sums.ffn[i] += ffn[i];
    sums.attention_fisher[i] += attention[i] * attention[i];
    sums.ffn_fisher[i] += ffn[i] * ffn[i];
    for (size_t j = 0; j < layers_; ++j) {
      sums.fisher_matrix[i * layers_ + j] += (attention[i] + ffn[i]) * (attention[j] + ffn[j]);
    }
  }
}

void ImportanceSums::add(const GateGradients& gradients, int64_t answer_tokens) {
  ++samples_;
  answer_tokens_ += answer_tokens;
  loss_ += gradients.loss;
  for (const GateStage stage : kAllGateStages) {
    add_stage(stage_gradients(gradients.attention, stage), stage_gradients(gradients.ffn, stage),
              stages_[static_cast<size_t>(stage)]);
  }
}

void ImportanceSums::add(const AblationRises& rises, Closed closed) {
  for (size_t stage = 0; stage < kGateStages; ++stage) {
    if (rises[stage].empty()) continue;
    std::vector<double>& sums = closed == Closed::suffix ? stages_[stage].suffix : stages_[stage].ablation;
    sums.resize(layers_, 0.0);
    for (size_t layer = 0; layer < layers_; ++layer) sums[layer] += rises[stage][layer];
  }
}

bool ImportanceSums::complete(bool ablation) const {
  for (const GateStage stage : kAllGateStages) {
    const StageSums& sums = stages_[static_cast<size_t>(stage)];
    const bool prefill = stage == GateStage::prefill || stage == GateStage::prefill_text;
    if (sums.suffix.empty() == (prefill || ablation) || sums.ablation.empty() == ablation) return false;
  }
  return true;
}

StageImportance ImportanceSums::stage_importance(const StageSums& sums) const {
  const auto mean = [&](double sum) { return sum / static_cast<double>(samples_); };
  StageImportance stage;
  for (size_t i = 0; i < layers_; ++i) {
    LayerImportance layer{.gradient = mean(sums.attention[i] + sums.ffn[i]),
                          .attention = mean(sums.attention[i]),
                          .ffn = mean(sums.ffn[i]),
                          .fisher = mean(sums.fisher_matrix[i * layers_ + i]),
                          .attention_fisher = mean(sums.attention_fisher[i]),
                          .ffn_fisher = mean(sums.ffn_fisher[i])};
    if (!sums.ablation.empty()) layer.ablation = mean(sums.ablation[i]);
    stage.layers.push_back(layer);
  }
  for (const double sum : sums.fisher_matrix) stage.fisher_matrix.push_back(mean(sum));
  for (const double sum : sums.suffix) stage.suffix_rises.push_back(mean(sum));
  return stage;
}

ImportanceProfile ImportanceSums::profile(const ModelFingerprint& model, const std::string& labels) const {
  ImportanceProfile profile{.model = model,
                            .labels = labels,
                            .samples = samples_,
                            .answer_tokens = answer_tokens_,
                            .loss = loss_ / static_cast<double>(samples_)};
  for (size_t i = 0; i < kGateStages; ++i) profile.stages[i] = stage_importance(stages_[i]);
  return profile;
}

ordered_json ImportanceSums::to_json() const {
  ordered_json document = {{"samples", samples_}, {"answer_tokens", answer_tokens_}, {"loss", loss_}};
  for (const GateStage stage : kAllGateStages) {
    const StageSums& sums = stages_[static_cast<size_t>(stage)];
    document[name_of(stage)] = {{"attention", sums.attention},
                                {"ffn", sums.ffn},
                                {"attention_fisher", sums.attention_fisher},
                                {"ffn_fisher", sums.ffn_fisher},
                                {"fisher_matrix", sums.fisher_matrix},
                                {"ablation", sums.ablation},
                                {"suffix", sums.suffix}};
  }
  return document;
}

Result<ImportanceSums> ImportanceSums::from_json(const JsonObject& object, int layers) {
  ImportanceSums sums(layers);
  POPLENS_TRY(samples, object.integer("samples", 0, kMostSamples));
  POPLENS_TRY(answer_tokens, object.integer("answer_tokens", 0, kMostSamples));
  POPLENS_TRY(loss, object.number("loss"));
  sums.samples_ = samples;
  sums.answer_tokens_ = answer_tokens;
  sums.loss_ = loss;
  for (const GateStage stage : kAllGateStages) {
    POPLENS_TRY(stage_object, object.object(name_of(stage)));
    StageSums& stage_sums = sums.stages_[static_cast<size_t>(stage)];
    const auto read = [&](const char* key, size_t count, std::vector<double>& out) -> Result<void> {
      POPLENS_TRY(numbers, read_numbers(stage_object, key, count));
      out = std::move(numbers);
      return {};
    };
    POPLENS_CHECK(read("attention", sums.layers_, stage_sums.attention));
    POPLENS_CHECK(read("ffn", sums.layers_, stage_sums.ffn));
    POPLENS_CHECK(read("attention_fisher", sums.layers_, stage_sums.attention_fisher));
    POPLENS_CHECK(read("ffn_fisher", sums.layers_, stage_sums.ffn_fisher));
    POPLENS_CHECK(read("fisher_matrix", sums.layers_ * sums.layers_, stage_sums.fisher_matrix));
    const auto read_measured = [&](const char* key, std::vector<double>& out) {
      const auto found = stage_object.value().find(key);
      const bool measured = found != stage_object.value().end() && !found->empty();
      return read(key, measured ? sums.layers_ : 0, out);
    };
    POPLENS_CHECK(read_measured("ablation", stage_sums.ablation));
    POPLENS_CHECK(read_measured("suffix", stage_sums.suffix));
  }
  return sums;
}

}  // namespace poplens
