// The whole pipeline against transformers on the tiny checkpoints of one family: token ids, positions, vision features
// by stage, logits of every position, greedy answers, pruned prefills. A test program is one subclass.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <QObject>

#include "engine/model/weight_source.h"
#include "tests/parity/golden_case.h"
#include "vision/picture_encoder.h"

namespace poplens::test {

class ModelParity : public QObject {
  Q_OBJECT

 public:
  // Checkpoints are folders of tests/data/<family>.
  ModelParity(std::string family, std::vector<std::string> checkpoints);
  ~ModelParity() override;

 protected:
  // Values by the names of the golden tensors, pictures one after the other.
  using VisionStages = std::map<std::string, std::vector<float>>;

  // What the family's vision tower makes of pictures, in f32. A family without pictures has no golden of it.
  virtual Result<void> run_tower(const ModelConfig& config, const WeightSource& source,
                                 const std::shared_ptr<Backend>& backend, const std::vector<PicturePixels>& pictures,
                                 VisionStages& stages) const;

  static void append(VisionStages& stages, const std::string& name, Backend& backend, ConstMatrix rows);
  // Of the residual stream before a block (or behind the last): vision.embedding, then vision.block.<i>.
  static std::string stage_before_block(int block);

 private slots:
  void initTestCase();
  void prompt_data();
  void prompt();
  void vision_data();
  void vision();
  void logits_data();
  void logits();
  void greedy_data();
  void greedy();
  void bf16();
  void pop_data();
  void pop();

 private:
  struct Checkpoint;

  const Checkpoint& fetched_checkpoint() const;
  const GoldenCase& fetched_case() const;

  std::string family_;
  std::vector<std::string> names_;
  std::vector<Checkpoint> checkpoints_;
};

}  // namespace poplens::test
