// One decoder layer run again with everything kept that its gradients need, and the way back through it. The forward
// formulas are those of the decoder (decoder.h); the way back is theirs, differentiated by hand, with respect to
// activations alone.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/model/decoder.h"

namespace poplens {

class LayerBackward {
 public:
  explicit LayerBackward(const Decoder& decoder) : decoder_(decoder) {}

  // Bytes for sequences of `rows` positions.
  static int64_t workspace_bytes(const DecoderSpec& spec, int64_t rows);
  // Makes room, and takes in where the positions of the next sequence stand and whom they see.
  Result<void> prepare(std::span<const RopePosition> positions, std::span<const TokenSpan> both_ways);

  // entering [rows, hidden] f32: the residual stream that enters the layer. grad [rows, hidden] f32: the gradient with
  // respect to the stream that leaves it, which becomes that with respect to `entering`. attention, ffn [rows]: what
  // the gates of the two branches are worth at each position, the dot product of what the branch adds with the gradient
  // there.
  void run(int layer, ConstMatrix entering, Matrix grad, std::span<float> attention, std::span<float> ffn);

 private:
  struct Work {
    int64_t rows = 0;
    DeviceArray normed;                             // [rows, hidden]
    DeviceArray plain_q, q, q_grad;                 // [rows, heads * head_dim]; plain: before norm and rotation
    DeviceArray plain_k, k, k_grad, v, v_grad;      // [rows, kv_heads * head_dim]
    DeviceArray attended, attended_grad;            // [rows, heads * head_dim]
    DeviceArray attention_branch, attention_added;  // [rows, hidden]; added: behind the post norm
    DeviceArray middle;                             // [rows, hidden]: the stream between the branches
    DeviceArray gate, up, product;                  // [rows, intermediate]
    DeviceArray ffn_branch, ffn_added;              // [rows, hidden]
    std::vector<DeviceArray> cos, sin;              // one per RoPE kind, [rows, head_dim / 2]
  };

  void forward_attention(int layer, ConstMatrix entering);
  void forward_ffn(int layer);
  void backward_ffn(int layer, Matrix grad);
  void backward_attention(int layer, ConstMatrix entering, Matrix grad);
  // What a branch adds: the branch itself, or its norm where the family has one.
  ConstMatrix added(const DeviceArray& branch, const DeviceVector& post_norm, const DeviceArray& room) const;
  ConstMatrix before_post_norm(const DeviceArray& branch, const DeviceVector& post_norm, ConstMatrix grad) const;
  void multiply(ConstMatrix x, const DeviceMatrix& weight, const DeviceArray& out) const;
  void multiply_back(ConstMatrix grad, const DeviceMatrix& weight, const DeviceArray& out, bool accumulate) const;
  const LayerWeights& weights(int layer) const { return decoder_.weights().layers[static_cast<size_t>(layer)]; }
  Matrix rows_of(const DeviceArray& array) const { return array.view().row_range(0, rows_); }
  AttentionShape shape() const;

  const Decoder& decoder_;
  Work work_;
  int64_t rows_ = 0;
  std::vector<TokenSpan> both_ways_;
  std::vector<KeyRange> ranges_;
};

}  // namespace poplens
