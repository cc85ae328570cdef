#include "engine/pop/importance/gate_gradients.h"

#include <algorithm>

#include "engine/pop/importance/answer_loss.h"

namespace poplens {
namespace {

constexpr int64_t kLogitRows = 16;

ClassSums sums_of_classes(std::span<const float> values, const AnswerSequence& sequence) {
  ClassSums sums{};
  for (size_t i = 0; i < values.size(); ++i) {
    const auto position = static_cast<int64_t>(i);
    const PositionClass part = position < sequence.text_from()     ? PositionClass::picture
                               : position < sequence.decode_from() ? PositionClass::text
                                                                   : PositionClass::answer;
    sums[static_cast<size_t>(part)] += values[i];
  }
  return sums;
}

}  // namespace

int64_t GateGradientPass::workspace_bytes(const DecoderSpec& spec, int64_t tokens) {
  const int64_t floats = (spec.layer_count() + 1) * tokens * spec.hidden + kLogitRows * (2 * spec.vocab + spec.hidden);
  return floats * size_of(DType::f32) + LayerBackward::workspace_bytes(spec, tokens);
}

Result<void> GateGradientPass::reserve(int64_t tokens) {
  if (tokens <= rows_) return {};
  const DecoderSpec& spec = runner_.decoder().spec();
  Backend& backend = runner_.decoder().backend();
  entering_.clear();
  rows_ = 0;
  for (int layer = 0; layer < spec.layer_count(); ++layer) {
    POPLENS_TRY(entering, allocate_array(backend, DType::f32, tokens, spec.hidden));
    entering_.push_back(std::move(entering));
  }
  POPLENS_TRY(grad, allocate_array(backend, DType::f32, tokens, spec.hidden));
  POPLENS_TRY(logit_grad, allocate_array(backend, DType::f32, kLogitRows, spec.vocab));
  POPLENS_TRY(normed_grad, allocate_array(backend, DType::f32, kLogitRows, spec.hidden));
  grad_ = std::move(grad);
  logit_grad_ = std::move(logit_grad);
  normed_grad_ = std::move(normed_grad);
  rows_ = tokens;
  return {};
}

Result<void> GateGradientPass::forward(const AnswerSequence& sequence, const std::function<void(int)>& on_layer,
                                       const std::stop_token& stop) {
  Decoder& decoder = runner_.decoder();
  const int64_t tokens = sequence.tokens();
  const auto keep = [&](size_t layer) {
    decoder.backend().copy(decoder.residual_rows(0, tokens), entering_[layer].view().row_range(0, tokens));
  };
  POPLENS_CHECK(decoder.reserve(tokens));
  decoder.embed(sequence.chunk(0));
  keep(0);
  return runner_.run(
      sequence,
      [&](int layer) {
        const auto next = static_cast<size_t>(layer) + 1;
        if (next < entering_.size()) keep(next);
        on_layer(layer);
      },
      stop);
}

// The answer's loss; grad_ becomes its gradient with respect to the stream that leaves the last layer.
double GateGradientPass::loss_gradient(const AnswerSequence& sequence) {
  Decoder& decoder = runner_.decoder();
  Backend& backend = decoder.backend();
  const DecoderSpec& spec = decoder.spec();
  const Matrix grad = grad_.view().row_range(0, sequence.tokens());
  backend.write(std::vector<float>(static_cast<size_t>(sequence.tokens() * spec.hidden)), grad);

  const std::span<const int32_t> answer = sequence.answer();
  std::vector<float> logits;
  double loss = 0.0;
  for (size_t done = 0; done < answer.size(); done += kLogitRows) {
    const size_t count = std::min<size_t>(kLogitRows, answer.size() - done);
    const auto rows = static_cast<int64_t>(count);
    const int64_t first = sequence.answer_from() + static_cast<int64_t>(done);
    logits.resize(count * static_cast<size_t>(spec.vocab));
    decoder.logits(first, rows, logits);
    for (size_t i = 0; i < count; ++i) {
      const auto row = std::span(logits).subspan(i * static_cast<size_t>(spec.vocab), static_cast<size_t>(spec.vocab));
      loss += negative_log_likelihood_gradient(row, answer[done + i]);
    }
    const Matrix logit_grad = logit_grad_.view().row_range(0, rows),
                 normed_grad = normed_grad_.view().row_range(0, rows);
    backend.write(logits, logit_grad);
    const MatmulPart head{.weight = decoder.weights().head.view, .out = normed_grad, .transposed = true};
    backend.matmul(logit_grad, {&head, 1});
    backend.rms_norm_backward(decoder.residual_rows(first, rows), decoder.weights().norm.data(), spec.norm_eps,
                              normed_grad, grad.row_range(first, rows));
  }
  return loss;
}

Result<GateGradients> GateGradientPass::run(const AnswerSequence& sequence,
                                            const std::function<void(int64_t, int64_t)>& on_layer,
                                            const std::stop_token& stop) {
  const int layers = runner_.decoder().spec().layer_count();
  const int64_t tokens = sequence.tokens();
  int64_t done = 0;
  const auto tell = [&] {
    if (on_layer) on_layer(++done, 2 * int64_t{layers});
  };
  POPLENS_CHECK(reserve(tokens));
  POPLENS_CHECK(forward(
      sequence, [&](int) { tell(); }, stop));
  POPLENS_CHECK(backward_.prepare(sequence.positions(), sequence.both_ways()));

  GateGradients result{loss_gradient(sequence), std::vector<ClassSums>(static_cast<size_t>(layers)),
                       std::vector<ClassSums>(static_cast<size_t>(layers))};
  std::vector<float> attention(static_cast<size_t>(tokens)), ffn(attention.size());
  for (int layer = layers - 1; layer >= 0; --layer) {
    if (stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};
    const auto index = static_cast<size_t>(layer);
    backward_.run(layer, entering_[index].view().row_range(0, tokens), grad_.view().row_range(0, tokens), attention,
                  ffn);
    result.attention[index] = sums_of_classes(attention, sequence);
    result.ffn[index] = sums_of_classes(ffn, sequence);
    tell();
  }
  return result;
}

}  // namespace poplens
