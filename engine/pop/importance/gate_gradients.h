// The derivative of an answer's loss with respect to every virtual gate, by one forward and one backward pass
// (arXiv 2602.03295, section 3):
//   dl/dg[l] = sum over positions t of  <dl/dh'[l,t], Attn_l(h)[t]> + <dl/dh[l+1,t], FFN_l(h')[t]>
// Only activations get gradients. The forward keeps the residual stream that enters each layer; everything else of a
// layer is computed again on the way back.
#pragma once

#include <array>

#include "engine/pop/importance/answer_runner.h"
#include "engine/pop/importance/layer_backward.h"

namespace poplens {

// Positions whose sums are kept apart: before the boundary `text`; from there to the boundary `last`; from there on.
enum class PositionClass : uint8_t { picture, text, answer };
constexpr size_t kPositionClasses = 3;
using ClassSums = std::array<double, kPositionClasses>;

struct GateGradients {
  double loss = 0.0;                 // of the whole answer, in nats
  std::vector<ClassSums> attention;  // [layers]
  std::vector<ClassSums> ffn;        // [layers]
};

class GateGradientPass {
 public:
  // The runner's decoder computes in f32.
  explicit GateGradientPass(AnswerRunner& runner) : runner_(runner), backward_(runner.decoder()) {}

  // Bytes that sequences of `tokens` positions need besides the runner's own.
  static int64_t workspace_bytes(const DecoderSpec& spec, int64_t tokens);

  // on_layer(done, total): layers there and back.
  Result<GateGradients> run(const AnswerSequence& sequence, const std::function<void(int64_t, int64_t)>& on_layer,
                            const std::stop_token& stop);

  // The residual stream that entered a layer in the last run, of its first `tokens` positions: [tokens, hidden].
  ConstMatrix entering(int layer, int64_t tokens) const {
    return entering_[static_cast<size_t>(layer)].view().row_range(0, tokens);
  }

 private:
  Result<void> reserve(int64_t tokens);
  Result<void> forward(const AnswerSequence& sequence, const std::function<void(int)>& on_layer,
                       const std::stop_token& stop);
  double loss_gradient(const AnswerSequence& sequence);

  AnswerRunner& runner_;
  LayerBackward backward_;
  int64_t rows_ = 0;
  std::vector<DeviceArray> entering_;     // per layer [rows, hidden]: the residual stream that enters it
  DeviceArray grad_;                      // [rows, hidden]
  DeviceArray logit_grad_, normed_grad_;  // of a block of answer positions: [kLogitRows, vocab], [kLogitRows, hidden]
};

}  // namespace poplens
