#include "engine/pop/importance/layer_backward.h"

namespace poplens {

int64_t LayerBackward::workspace_bytes(const DecoderSpec& spec, int64_t rows) {
  const int64_t per_row = 6 * spec.hidden + 5 * spec.query_width() + 5 * spec.kv_width() + 3 * spec.intermediate +
                          static_cast<int64_t>(spec.ropes.size()) * spec.head_dim;
  return rows * per_row * size_of(DType::f32);
}

Result<void> LayerBackward::prepare(std::span<const RopePosition> positions, std::span<const TokenSpan> both_ways) {
  const DecoderSpec& spec = decoder_.spec();
  Backend& backend = decoder_.backend();
  rows_ = static_cast<int64_t>(positions.size());
  both_ways_.assign(both_ways.begin(), both_ways.end());
  if (rows_ > work_.rows) {
    Work work;
    work.rows = rows_;
    const auto take = [&](std::initializer_list<DeviceArray*> arrays, int64_t width) -> Result<void> {
      for (DeviceArray* array : arrays) {
        POPLENS_TRY(allocated, allocate_array(backend, DType::f32, rows_, width));
        *array = allocated;
      }
      return {};
    };
    POPLENS_CHECK(take(
        {&work.normed, &work.attention_branch, &work.attention_added, &work.middle, &work.ffn_branch, &work.ffn_added},
        spec.hidden));
    POPLENS_CHECK(
        take({&work.plain_q, &work.q, &work.q_grad, &work.attended, &work.attended_grad}, spec.query_width()));
    POPLENS_CHECK(take({&work.plain_k, &work.k, &work.k_grad, &work.v, &work.v_grad}, spec.kv_width()));
    POPLENS_CHECK(take({&work.gate, &work.up, &work.product}, spec.intermediate));
    work.cos.resize(spec.ropes.size());
    work.sin.resize(spec.ropes.size());
    for (size_t kind = 0; kind < spec.ropes.size(); ++kind) {
      POPLENS_CHECK(take({&work.cos[kind], &work.sin[kind]}, spec.head_dim / 2));
    }
    work_ = std::move(work);
  }
  for (size_t kind = 0; kind < spec.ropes.size(); ++kind) {
    const RopeTable table = rope_table(spec.ropes[kind], positions);
    backend.write(table.cos, rows_of(work_.cos[kind]));
    backend.write(table.sin, rows_of(work_.sin[kind]));
  }
  return {};
}

AttentionShape LayerBackward::shape() const {
  const DecoderSpec& spec = decoder_.spec();
  return {spec.heads, spec.kv_heads, spec.head_dim, spec.attention_scale};
}

void LayerBackward::multiply(ConstMatrix x, const DeviceMatrix& weight, const DeviceArray& out) const {
  const MatmulPart part{.weight = weight.view, .out = rows_of(out)};
  decoder_.backend().matmul(x, {&part, 1});
}

void LayerBackward::multiply_back(ConstMatrix grad, const DeviceMatrix& weight, const DeviceArray& out,
                                  bool accumulate) const {
  const MatmulPart part{.weight = weight.view, .out = rows_of(out), .accumulate = accumulate, .transposed = true};
  decoder_.backend().matmul(grad, {&part, 1});
}

ConstMatrix LayerBackward::added(const DeviceArray& branch, const DeviceVector& post_norm,
                                 const DeviceArray& room) const {
  if (post_norm.data() == nullptr) return rows_of(branch);
  decoder_.backend().rms_norm(rows_of(branch), post_norm.data(), decoder_.spec().norm_eps, rows_of(room));
  return rows_of(room);
}

// The gradient in front of the post norm, in the room of what the branch added.
ConstMatrix LayerBackward::before_post_norm(const DeviceArray& branch, const DeviceVector& post_norm,
                                            ConstMatrix grad) const {
  if (post_norm.data() == nullptr) return grad;
  const Matrix out = rows_of(branch);
  decoder_.backend().rms_norm_backward(out, post_norm.data(), decoder_.spec().norm_eps, grad, rows_of(work_.normed));
  return rows_of(work_.normed);
}

// middle = entering + attention
void LayerBackward::forward_attention(int layer, ConstMatrix entering) {
  const DecoderSpec& spec = decoder_.spec();
  const LayerWeights& w = weights(layer);
  Backend& backend = decoder_.backend();
  const LayerSpec& layer_spec = spec.layers[static_cast<size_t>(layer)];
  const auto kind = static_cast<size_t>(layer_spec.rope);
  const auto* cos = static_cast<const float*>(work_.cos[kind].view().data);
  const auto* sin = static_cast<const float*>(work_.sin[kind].view().data);

  backend.rms_norm(entering, w.input_norm.data(), spec.norm_eps, rows_of(work_.normed));
  const MatmulPart parts[] = {{.weight = w.q.view, .out = rows_of(work_.plain_q)},
                              {.weight = w.k.view, .out = rows_of(work_.plain_k)},
                              {.weight = w.v.view, .out = rows_of(work_.v)}};
  backend.matmul(rows_of(work_.normed), parts);
  backend.copy(rows_of(work_.plain_q), rows_of(work_.q));
  backend.copy(rows_of(work_.plain_k), rows_of(work_.k));
  backend.norm_rotate_heads(rows_of(work_.q), spec.head_dim, w.q_norm.data(), spec.norm_eps, cos, sin);
  backend.norm_rotate_heads(rows_of(work_.k), spec.head_dim, w.k_norm.data(), spec.norm_eps, cos, sin);
  ranges_ = visible_keys(0, rows_, layer_spec.window, both_ways_);
  backend.attention(shape(), rows_of(work_.q), rows_of(work_.k), rows_of(work_.v), ranges_, rows_of(work_.attended));
  multiply(rows_of(work_.attended), w.o, work_.attention_branch);
  backend.copy(entering, rows_of(work_.middle));
  backend.add(added(work_.attention_branch, w.post_attention_norm, work_.attention_added), rows_of(work_.middle));
}

// What is added to `middle`; its sum is the next layer's business.
void LayerBackward::forward_ffn(int layer) {
  const LayerWeights& w = weights(layer);
  Backend& backend = decoder_.backend();
  backend.rms_norm(rows_of(work_.middle), w.pre_feedforward_norm.data(), decoder_.spec().norm_eps,
                   rows_of(work_.normed));
  const MatmulPart parts[] = {{.weight = w.gate.view, .out = rows_of(work_.gate)},
                              {.weight = w.up.view, .out = rows_of(work_.up)}};
  backend.matmul(rows_of(work_.normed), parts);
  backend.gated_product(rows_of(work_.gate), rows_of(work_.up), decoder_.spec().activation, rows_of(work_.product));
  multiply(rows_of(work_.product), w.down, work_.ffn_branch);
}

void LayerBackward::backward_ffn(int layer, Matrix grad) {
  const LayerWeights& w = weights(layer);
  Backend& backend = decoder_.backend();
  multiply_back(before_post_norm(work_.ffn_branch, w.post_feedforward_norm, grad), w.down, work_.product, false);
  backend.gated_product_backward(rows_of(work_.product), decoder_.spec().activation, rows_of(work_.gate),
                                 rows_of(work_.up));
  multiply_back(rows_of(work_.gate), w.gate, work_.normed, false);
  multiply_back(rows_of(work_.up), w.up, work_.normed, true);
  backend.rms_norm_backward(rows_of(work_.middle), w.pre_feedforward_norm.data(), decoder_.spec().norm_eps,
                            rows_of(work_.normed), grad, /*accumulate=*/true);
}

void LayerBackward::backward_attention(int layer, ConstMatrix entering, Matrix grad) {
  const DecoderSpec& spec = decoder_.spec();
  const LayerWeights& w = weights(layer);
  Backend& backend = decoder_.backend();
  const auto kind = static_cast<size_t>(spec.layers[static_cast<size_t>(layer)].rope);
  const auto* cos = static_cast<const float*>(work_.cos[kind].view().data);
  const auto* sin = static_cast<const float*>(work_.sin[kind].view().data);

  multiply_back(before_post_norm(work_.attention_branch, w.post_attention_norm, grad), w.o, work_.attended_grad, false);
  backend.attention_backward(shape(), rows_of(work_.q), rows_of(work_.k), rows_of(work_.v), ranges_,
                             rows_of(work_.attended), rows_of(work_.attended_grad), rows_of(work_.q_grad),
                             rows_of(work_.k_grad), rows_of(work_.v_grad));
  backend.norm_rotate_heads_backward(rows_of(work_.plain_q), spec.head_dim, w.q_norm.data(), spec.norm_eps, cos, sin,
                                     rows_of(work_.q_grad));
  backend.norm_rotate_heads_backward(rows_of(work_.plain_k), spec.head_dim, w.k_norm.data(), spec.norm_eps, cos, sin,
                                     rows_of(work_.k_grad));
  multiply_back(rows_of(work_.q_grad), w.q, work_.normed, false);
  multiply_back(rows_of(work_.k_grad), w.k, work_.normed, true);
  multiply_back(rows_of(work_.v_grad), w.v, work_.normed, true);
  backend.rms_norm_backward(entering, w.input_norm.data(), spec.norm_eps, rows_of(work_.normed), grad,
                            /*accumulate=*/true);
}

void LayerBackward::run(int layer, ConstMatrix entering, Matrix grad, std::span<float> attention,
                        std::span<float> ffn) {
  const LayerWeights& w = weights(layer);
  Backend& backend = decoder_.backend();
  forward_attention(layer, entering);
  forward_ffn(layer);
  backend.row_dots(added(work_.ffn_branch, w.post_feedforward_norm, work_.ffn_added), grad, ffn);
  backward_ffn(layer, grad);
  const bool has_post_norm = w.post_attention_norm.data() != nullptr;
  backend.row_dots(rows_of(has_post_norm ? work_.attention_added : work_.attention_branch), grad, attention);
  backward_attention(layer, entering, grad);
}

}  // namespace poplens
