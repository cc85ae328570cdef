#include "vision/vit_block.h"

#include <algorithm>
#include <cmath>

#include "engine/base/clock.h"

namespace poplens {
namespace {

constexpr int64_t kWidestHead = 256;

int64_t widest(const VitShape& shape) {
  return std::max({shape.intermediate, shape.patch_values, shape.hidden});
}

AttentionShape attention_of(const VitShape& shape) {
  return {shape.heads, shape.heads, shape.head_dim(), 1.0F / std::sqrt(static_cast<float>(shape.head_dim()))};
}

// Values that differ from row to row, so that no two rows lie in one page of zeros.
void make_up(Backend& backend, Matrix out) {
  constexpr int64_t kRows = 64;
  std::vector<float> values(static_cast<size_t>(kRows * out.cols));
  for (size_t i = 0; i < values.size(); ++i) values[i] = 0.01F * static_cast<float>(i * i % 199) - 1.0F;
  for (int64_t first = 0; first < out.rows; first += kRows) {
    const int64_t count = std::min(kRows, out.rows - first);
    backend.write(std::span(values).first(static_cast<size_t>(count * out.cols)), out.row_range(first, count));
  }
}

MatmulPart linear_part(const LinearWeights& weights, Matrix out) {
  return {.weight = weights.weight.view, .out = out, .bias = weights.bias.data()};
}

void attend(Backend& backend, const VitShape& shape, const VitBlockWeights& block, VitWorkspace& work) {
  const Matrix residual = work.residual.view();
  const Matrix normed = work.normed.view();
  const Matrix qkv = work.qkv.view();
  backend.layer_norm(residual, block.norm1.weight.data(), block.norm1.bias.data(), shape.norm_eps, normed);

  std::vector<MatmulPart> parts;
  int64_t column = 0;
  for (const LinearWeights& weights : block.qkv) {
    parts.push_back(linear_part(weights, qkv.col_range(column, weights.weight.view.rows)));
    column += weights.weight.view.rows;
  }
  backend.matmul(normed, parts);
  const Matrix q = qkv.col_range(0, shape.hidden);
  const Matrix k = qkv.col_range(shape.hidden, shape.hidden);
  const Matrix v = qkv.col_range(2 * shape.hidden, shape.hidden);
  if (work.cos.rows > 0) {
    const auto* cos = static_cast<const float*>(work.cos.buffer.data.get());
    const auto* sin = static_cast<const float*>(work.sin.buffer.data.get());
    backend.norm_rotate_heads(q, shape.head_dim(), nullptr, shape.norm_eps, cos, sin);
    backend.norm_rotate_heads(k, shape.head_dim(), nullptr, shape.norm_eps, cos, sin);
  }
  backend.attention(attention_of(shape), q, k, v, work.ranges, normed);
  MatmulPart output = linear_part(block.proj, residual);
  output.accumulate = true;
  backend.matmul(normed, {&output, 1});
}

void feed_forward(Backend& backend, const VitShape& shape, const VitBlockWeights& block, VitWorkspace& work) {
  for (int64_t first = 0; first < work.patches; first += kVitBlockRows) {
    const int64_t count = std::min(kVitBlockRows, work.patches - first);
    const Matrix rows = work.residual.view().row_range(first, count);
    const Matrix normed = work.normed.view().row_range(first, count);
    const Matrix middle{work.wide.buffer.data.get(), work.wide.dtype, count, shape.intermediate, shape.intermediate};
    backend.layer_norm(rows, block.norm2.weight.data(), block.norm2.bias.data(), shape.norm_eps, normed);
    MatmulPart fc1 = linear_part(block.fc1, middle);
    fc1.activation = Activation::gelu_tanh;
    backend.matmul(normed, {&fc1, 1});
    MatmulPart fc2 = linear_part(block.fc2, rows);
    fc2.accumulate = true;
    backend.matmul(middle, {&fc2, 1});
  }
}

}  // namespace

int64_t VitWorkspace::bytes(const VitShape& shape, DType activations, int64_t patches, bool rotated) {
  const int64_t floats = size_of(DType::f32);
  const int64_t angles = rotated ? 2 * shape.head_dim() * floats : 0;  // on the host and on the device
  const int64_t per_patch =
      shape.hidden * (4 * size_of(activations) + floats) + angles + static_cast<int64_t>(sizeof(KeyRange));
  return patches * per_patch + std::min(patches, kVitBlockRows) * widest(shape) * (size_of(activations) + floats);
}

Result<VitWorkspace> VitWorkspace::reserve(Backend& backend, const VitShape& shape, DType activations, int64_t patches,
                                           bool rotated) {
  VitWorkspace work;
  work.patches = patches;
  POPLENS_TRY(residual, allocate_array(backend, DType::f32, patches, shape.hidden));
  POPLENS_TRY(normed, allocate_array(backend, activations, patches, shape.hidden));
  POPLENS_TRY(qkv, allocate_array(backend, activations, patches, 3 * shape.hidden));
  POPLENS_TRY(wide, allocate_array(backend, activations, std::min(patches, kVitBlockRows), widest(shape)));
  work.residual = residual;
  work.normed = normed;
  work.qkv = qkv;
  work.wide = wide;
  if (rotated) {
    POPLENS_TRY(cos, allocate_array(backend, DType::f32, patches, shape.head_dim() / 2));
    POPLENS_TRY(sin, allocate_array(backend, DType::f32, patches, shape.head_dim() / 2));
    work.cos = cos;
    work.sin = sin;
  }
  work.ranges.assign(static_cast<size_t>(patches), KeyRange{0, static_cast<int32_t>(patches)});
  return work;
}

void run_vit_block(Backend& backend, const VitShape& shape, const VitBlockWeights& block, VitWorkspace& work) {
  attend(backend, shape, block, work);
  feed_forward(backend, shape, block, work);
}

Result<double> time_vit_attention(Backend& backend, const VitShape& shape, DType activations, int64_t rows,
                                  int64_t patches) {
  constexpr int kRuns = 2;
  POPLENS_TRY(q, allocate_array(backend, activations, rows, shape.hidden));
  POPLENS_TRY(kv, allocate_array(backend, activations, patches, 2 * shape.hidden));
  make_up(backend, q.view());
  make_up(backend, kv.view());
  const Matrix k = kv.view().col_range(0, shape.hidden), v = kv.view().col_range(shape.hidden, shape.hidden);
  const std::vector<KeyRange> ranges(static_cast<size_t>(rows), KeyRange{0, static_cast<int32_t>(patches)});
  POPLENS_TRY(out, allocate_array(backend, activations, rows, shape.hidden));
  double best = 0.0;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = Clock::now();
    backend.attention(attention_of(shape), q.view(), k, v, ranges, out.view());
    const double ms = ms_since(start);
    best = run == 0 ? ms : std::min(best, ms);
  }
  return best;
}

Result<void> check_vit_heads(const std::string& where, int64_t hidden, int64_t heads) {
  if (hidden % heads == 0 && (hidden / heads) % 4 == 0 && hidden / heads <= kWidestHead) return {};
  return Error{where + ": a hidden size of " + std::to_string(hidden) + " cannot be split into " +
               std::to_string(heads) + " heads of a multiple of 4 values, at most " + std::to_string(kWidestHead)};
}

Result<LinearWeights> VitLoader::linear(const std::string& name, int64_t out, int64_t in) const {
  POPLENS_TRY(weight, place_matrix(source_, backend_, prefix_ + name + ".weight", out, in));
  POPLENS_TRY(bias, place_vector(source_, backend_, prefix_ + name + ".bias", out));
  return LinearWeights{weight, bias};
}

Result<LayerNormWeights> VitLoader::norm(const std::string& name, int64_t width) const {
  POPLENS_TRY(weight, place_vector(source_, backend_, prefix_ + name + ".weight", width));
  POPLENS_TRY(bias, place_vector(source_, backend_, prefix_ + name + ".bias", width));
  return LayerNormWeights{weight, bias};
}

Result<std::vector<float>> VitLoader::table(const std::string& name, int64_t rows, int64_t width) const {
  POPLENS_TRY(matrix, place_matrix(source_, backend_, prefix_ + name + ".weight", rows, width));
  std::vector<float> values(static_cast<size_t>(rows * width));
  backend_.read_back(matrix.view, values);
  return values;
}

}  // namespace poplens
