#include "engine/pop/profile.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/base/json_file.h"
#include "engine/pop/rank_correlation.h"

namespace poplens {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr int64_t kMostLayers = 1024;
constexpr int64_t kMostSize = int64_t{1} << 40;
// Nats, or their square, of a loss that a model can have: sums of such figures stay finite.
constexpr double kMostNats = 1e30;

// The numbers of a layer and their names in the file; importance follows from them.
struct Figure {
  const char* name;
  double LayerImportance::*value;
};
constexpr Figure kFigures[] = {{"gradient", &LayerImportance::gradient},
                               {"fisher", &LayerImportance::fisher},
                               {"attention", &LayerImportance::attention},
                               {"ffn", &LayerImportance::ffn},
                               {"attention_fisher", &LayerImportance::attention_fisher},
                               {"ffn_fisher", &LayerImportance::ffn_fisher}};

bool plausible(const json& value) {
  return value.is_number() && std::abs(value.get<double>()) <= kMostNats;
}

Result<double> read_figure(const JsonObject& object, const char* key) {
  POPLENS_TRY(figure, object.number(key));
  if (std::abs(figure) > kMostNats) return Error{object.where() + ": '" + key + "' is out of range"};
  return figure;
}

ordered_json layer_json(const LayerImportance& layer) {
  ordered_json entry;
  for (const Figure& figure : kFigures) entry[figure.name] = layer.*figure.value;
  entry["importance"] = layer.importance();
  entry["ablation"] = layer.ablation ? ordered_json(*layer.ablation) : ordered_json();
  return entry;
}

ordered_json matrix_json(const StageImportance& stage) {
  const size_t layers = stage.layers.size();
  ordered_json rows = ordered_json::array();
  for (size_t i = 0; i < layers; ++i) {
    const auto begin = stage.fisher_matrix.begin() + static_cast<std::ptrdiff_t>(i * layers);
    rows.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(layers)));
  }
  return rows;
}

// A list of `count` entries, each turned into a value by `read`.
template <typename Read>
Result<void> read_list(const JsonObject& object, const char* key, size_t count, const Read& read) {
  const json& value = object.value();
  const auto found = value.find(key);
  if (found == value.end() || !found->is_array() || found->size() != count) {
    return Error{object.where() + ": '" + key + "' is not a list of " + std::to_string(count) + " entries"};
  }
  for (size_t i = 0; i < count; ++i) POPLENS_CHECK(read(i, (*found)[i]));
  return {};
}

Result<LayerImportance> read_layer(const JsonObject& object) {
  LayerImportance layer;
  for (const Figure& figure : kFigures) {
    POPLENS_TRY(value, read_figure(object, figure.name));
    layer.*figure.value = value;
  }
  if (object.has("ablation")) {
    POPLENS_TRY(ablation, read_figure(object, "ablation"));
    layer.ablation = ablation;
  }
  return layer;
}

Result<void> read_matrix(const JsonObject& object, const char* stage, size_t layers, std::vector<double>& matrix) {
  matrix.resize(layers * layers);
  return read_list(object, stage, layers, [&](size_t i, const json& row) -> Result<void> {
    const Error wrong{object.where() + ": row " + std::to_string(i) + " of '" + stage + "' is not a list of " +
                      std::to_string(layers) + " numbers in range"};
    if (!row.is_array() || row.size() != layers) return wrong;
    for (size_t j = 0; j < layers; ++j) {
      if (!plausible(row[j])) return wrong;
      matrix[i * layers + j] = row[j].get<double>();
    }
    return {};
  });
}

// The measured rises, where the file has them.
Result<void> read_suffix_rises(const JsonObject& file, size_t layers, ImportanceProfile& profile) {
  if (!file.has("suffix_rise")) return {};
  POPLENS_TRY(stages, file.object("suffix_rise"));
  for (const GateStage stage : kAllGateStages) {
    if (!stages.has(name_of(stage))) continue;
    std::vector<double>& rises = profile.stages[static_cast<size_t>(stage)].suffix_rises;
    rises.resize(layers);
    POPLENS_CHECK(read_list(stages, name_of(stage), layers, [&](size_t i, const json& rise) -> Result<void> {
      if (!plausible(rise)) {
        return Error{stages.where() + ": entry " + std::to_string(i) + " of '" + name_of(stage) +
                     "' is not a number in range"};
      }
      rises[i] = rise.get<double>();
      return {};
    }));
  }
  return {};
}

Result<ImportanceProfile> read_profile(const JsonObject& file) {
  ImportanceProfile profile;
  POPLENS_TRY(model_object, file.object("model"));
  POPLENS_TRY(model, read_fingerprint(model_object));
  profile.model = std::move(model);
  POPLENS_TRY(labels, file.text("labels"));
  profile.labels = std::move(labels);
  POPLENS_TRY(samples, file.integer("samples", 1, kMostSize));
  POPLENS_TRY(answer_tokens, file.integer("answer_tokens", 1, kMostSize));
  POPLENS_TRY(loss, read_figure(file, "loss"));
  profile.samples = samples;
  profile.answer_tokens = answer_tokens;
  profile.loss = loss;

  const auto layers = static_cast<size_t>(profile.model.layers);
  for (StageImportance& stage : profile.stages) stage.layers.resize(layers);
  POPLENS_CHECK(read_list(file, "layers", layers, [&](size_t i, const json& entry) -> Result<void> {
    const JsonObject layer(entry.is_object() ? entry : json::object(), file.where() + ": layers " + std::to_string(i));
    POPLENS_TRY(number, layer.integer("layer", 0, profile.model.layers - 1));
    if (number != static_cast<int64_t>(i))
      return Error{layer.where() + ": is said to be layer " + std::to_string(number)};
    for (const GateStage stage : kAllGateStages) {
      POPLENS_TRY(object, layer.object(name_of(stage)));
      POPLENS_TRY(figures, read_layer(object));
      profile.stages[static_cast<size_t>(stage)].layers[i] = figures;
    }
    return {};
  }));
  POPLENS_TRY(matrices, file.object("fisher_matrix"));
  for (const GateStage stage : kAllGateStages) {
    POPLENS_CHECK(
        read_matrix(matrices, name_of(stage), layers, profile.stages[static_cast<size_t>(stage)].fisher_matrix));
  }
  POPLENS_CHECK(read_suffix_rises(file, layers, profile));
  return profile;
}

}  // namespace

const char* name_of(GateStage stage) {
  switch (stage) {
    case GateStage::prefill:
      return "prefill";
    case GateStage::decode:
      return "decode";
    case GateStage::prefill_text:
      return "prefill_text";
    case GateStage::decode_text:
      break;
  }
  return "decode_text";
}

double StageImportance::predicted_rise(std::span<const int> pruned) const {
  double rise = 0.0;
  for (const int i : pruned) {
    rise -= layers[static_cast<size_t>(i)].gradient;
    for (const int j : pruned)
      rise += fisher_matrix[static_cast<size_t>(i) * layers.size() + static_cast<size_t>(j)] / 2.0;
  }
  return rise;
}

std::optional<double> StageImportance::rank_correlation() const {
  std::vector<double> estimated, measured;
  for (const LayerImportance& layer : layers) {
    if (!layer.ablation) return std::nullopt;
    estimated.push_back(layer.importance());
    measured.push_back(*layer.ablation);
  }
  return spearman(estimated, measured);
}

ordered_json to_json(const ModelFingerprint& fingerprint) {
  return {{"family", fingerprint.family}, {"layers", fingerprint.layers},
          {"hidden", fingerprint.hidden}, {"intermediate", fingerprint.intermediate},
          {"heads", fingerprint.heads},   {"kv_heads", fingerprint.kv_heads},
          {"vocab", fingerprint.vocab},   {"weights", fingerprint.weights}};
}

ordered_json to_json(const ImportanceProfile& profile) {
  ordered_json layers = ordered_json::array();
  for (size_t i = 0; i < static_cast<size_t>(profile.model.layers); ++i) {
    ordered_json layer = {{"layer", i}};
    for (const GateStage stage : kAllGateStages) layer[name_of(stage)] = layer_json(profile.stage(stage).layers[i]);
    layers.push_back(std::move(layer));
  }
  ordered_json matrices, correlations;
  ordered_json rises = ordered_json::object();
  for (const GateStage stage : kAllGateStages) {
    matrices[name_of(stage)] = matrix_json(profile.stage(stage));
    if (const auto& measured = profile.stage(stage).suffix_rises; !measured.empty()) rises[name_of(stage)] = measured;
    const auto correlation = profile.stage(stage).rank_correlation();
    correlations[name_of(stage)] = correlation ? ordered_json(*correlation) : ordered_json();
  }
  return {{"model", to_json(profile.model)},
          {"labels", profile.labels},
          {"samples", profile.samples},
          {"answer_tokens", profile.answer_tokens},
          {"loss", profile.loss},
          {"layers", std::move(layers)},
          {"fisher_matrix", std::move(matrices)},
          {"suffix_rise", std::move(rises)},
          {"rank_correlation", std::move(correlations)}};
}

Result<ModelFingerprint> read_fingerprint(const JsonObject& object) {
  ModelFingerprint fingerprint;
  POPLENS_TRY(family, object.text("family"));
  POPLENS_TRY(weights, object.text("weights"));
  fingerprint.family = std::move(family);
  fingerprint.weights = std::move(weights);
  POPLENS_TRY(layers, object.integer("layers", 1, kMostLayers));
  fingerprint.layers = layers;
  const std::pair<const char*, int64_t ModelFingerprint::*> sizes[] = {
      {"hidden", &ModelFingerprint::hidden},
      {"intermediate", &ModelFingerprint::intermediate},
      {"heads", &ModelFingerprint::heads},
      {"kv_heads", &ModelFingerprint::kv_heads},
      {"vocab", &ModelFingerprint::vocab}};
  for (const auto& [name, member] : sizes) {
    POPLENS_TRY(size, object.integer(name, 1, kMostSize));
    fingerprint.*member = size;
  }
  return fingerprint;
}

Result<ImportanceProfile> read_profile(const std::filesystem::path& path) {
  POPLENS_TRY(file, read_json_file(path));
  return read_profile(file);
}

Result<ImportanceProfile> read_profile_of(const std::filesystem::path& path, const ModelFingerprint& model) {
  POPLENS_TRY(profile, read_profile(path));
  if (profile.model == model) return profile;
  const auto describe = [](const ModelFingerprint& m) {
    return m.family + " of " + std::to_string(m.layers) + " layers, weights " + m.weights.substr(0, 12);
  };
  return Error{path.string() + ": measured on another model (" + describe(profile.model) + ", not " + describe(model) +
               ")"};
}

}  // namespace poplens
