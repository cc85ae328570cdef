// Sums over samples, from which a profile's means are taken. A sample's classes of positions are first added up to
// stages and then squared: the Fisher information is that of a whole answer.
#pragma once

#include "engine/base/json_file.h"
#include "engine/pop/importance/ablation.h"
#include "engine/pop/importance/gate_gradients.h"

namespace poplens {

class ImportanceSums {
 public:
  explicit ImportanceSums(int layers);

  void add(const GateGradients& gradients, int64_t answer_tokens);
  // Of the sample that was added last, the stages that it has; of each stage all samples or none.
  void add(const AblationRises& rises, Closed closed);

  int64_t samples() const { return samples_; }
  // Whether there are rises of the prefill's suffixes and, with `ablation`, all others.
  bool complete(bool ablation) const;
  // Needs a sample.
  ImportanceProfile profile(const ModelFingerprint& model, const std::string& labels) const;

  // Everything, exactly: what goes on after to_json() and from_json() gives the same bits.
  nlohmann::ordered_json to_json() const;
  static Result<ImportanceSums> from_json(const JsonObject& object, int layers);

 private:
  struct StageSums {
    std::vector<double> attention, ffn;                // [layers]
    std::vector<double> attention_fisher, ffn_fisher;  // [layers], squares
    std::vector<double> fisher_matrix;                 // [layers, layers], g · g^T
    std::vector<double> ablation;                      // [layers], empty without
    std::vector<double> suffix;                        // [layers], rises with the last 1, 2, … closed; empty without
  };
  void add_stage(const std::vector<double>& attention, const std::vector<double>& ffn, StageSums& sums) const;
  StageImportance stage_importance(const StageSums& sums) const;

  size_t layers_;
  int64_t samples_ = 0;
  int64_t answer_tokens_ = 0;
  double loss_ = 0.0;
  std::array<StageSums, kGateStages> stages_;
};

}  // namespace poplens
