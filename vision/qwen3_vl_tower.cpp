#include "vision/qwen3_vl_tower.h"

#include <algorithm>

#include "vision/qwen3_vl_positions.h"

namespace poplens {
namespace {

constexpr float kLayerNormEps = 1e-6F;  // fixed in the reference's code, not in its config
// The same memory as rows of `width` values: consecutive rows are joined.
Matrix joined(Matrix x, int64_t width) {
  return {x.data, x.dtype, x.rows * x.cols / width, width, width};
}

}  // namespace

Qwen3VlTower::Qwen3VlTower(Qwen3VlVisionSpec spec, Qwen3VlTowerWeights weights, std::shared_ptr<Backend> backend,
                           DType activations)
    : spec_(std::move(spec)), weights_(std::move(weights)), backend_(std::move(backend)), activations_(activations) {
  shape_ = {spec_.hidden, spec_.intermediate, spec_.patch_values(), spec_.heads, kLayerNormEps};
}

int64_t Qwen3VlTower::workspace_bytes(int64_t patches) const {
  const int64_t soft_tokens = patches / (spec_.merge_size * spec_.merge_size);
  const auto outputs = static_cast<int64_t>(1 + spec_.deepstack_blocks.size());
  return VitWorkspace::bytes(shape_, activations_, patches, /*rotated=*/true) +
         soft_tokens * outputs * spec_.out_hidden * size_of(DType::f32);
}

// x = patches · W^T + b + interpolated positions.
void Qwen3VlTower::embed(const PatchReader& patches, int grid_h, int grid_w, VitWorkspace& work) const {
  const std::vector<PatchPosition> order = patch_order(grid_h, grid_w, spec_.merge_size);
  const int64_t values = spec_.patch_values();
  std::vector<float> pixels;
  std::vector<float> positions;
  for (int64_t first = 0; first < work.patches; first += kVitBlockRows) {
    const int64_t count = std::min(kVitBlockRows, work.patches - first);
    pixels.resize(static_cast<size_t>(count * values));
    positions.resize(static_cast<size_t>(count * spec_.hidden));
    patches(first, count, pixels);
    interpolate_positions(weights_.positions, spec_.position_side, spec_.hidden, grid_h, grid_w,
                          std::span(order).subspan(static_cast<size_t>(first), static_cast<size_t>(count)), positions);
    const Matrix input{work.wide.buffer.data.get(), activations_, count, values, values};
    const Matrix rows = work.residual.view().row_range(first, count);
    backend_->write(pixels, input);
    backend_->write(positions, rows);
    const MatmulPart part{.weight = weights_.patch_embed.weight.view,
                          .out = rows,
                          .bias = weights_.patch_embed.bias.data(),
                          .accumulate = true};
    backend_->matmul(input, {&part, 1});
  }
}

void Qwen3VlTower::load_rope(int grid_h, int grid_w, VitWorkspace& work) const {
  const size_t values = static_cast<size_t>(work.patches) * static_cast<size_t>(shape_.head_dim() / 2);
  std::vector<float> cosines(values);
  std::vector<float> sines(values);
  patch_angles(patch_order(grid_h, grid_w, spec_.merge_size), shape_.head_dim(), cosines, sines);
  backend_->write(cosines, work.cos.view());
  backend_->write(sines, work.sin.view());
}

// M * M neighbouring patches to one soft token: fc2(gelu(fc1(norm(x)))). The main merger norms every patch, DeepStack's
// mergers the joined vector.
Result<DeviceArray> Qwen3VlTower::merge(const Qwen3VlMergerWeights& merger, bool norm_after_merge,
                                        VitWorkspace& work) const {
  Backend& backend = *backend_;
  const int64_t merged = spec_.merged_width();
  const int64_t soft_tokens = work.patches / (spec_.merge_size * spec_.merge_size);
  POPLENS_TRY(features, allocate_array(backend, DType::f32, soft_tokens, spec_.out_hidden));

  const Matrix residual = norm_after_merge ? joined(work.residual.view(), merged) : work.residual.view();
  const Matrix normed = norm_after_merge ? joined(work.normed.view(), merged) : work.normed.view();
  backend.layer_norm(residual, merger.norm.weight.data(), merger.norm.bias.data(), kLayerNormEps, normed);
  const Matrix tokens = joined(work.normed.view(), merged);
  // qkv is free between blocks, and three times as wide as the merged tokens' rows need.
  const Matrix middle{work.qkv.buffer.data.get(), activations_, soft_tokens, merged, merged};
  const MatmulPart fc1{.weight = merger.fc1.weight.view,
                       .out = middle,
                       .bias = merger.fc1.bias.data(),
                       .activation = Activation::gelu_erf};
  backend.matmul(tokens, {&fc1, 1});
  const MatmulPart fc2{.weight = merger.fc2.weight.view, .out = features.view(), .bias = merger.fc2.bias.data()};
  backend.matmul(middle, {&fc2, 1});
  return features;
}

Result<PictureFeatures> Qwen3VlTower::run(const PatchReader& patches, int grid_h, int grid_w,
                                          const std::function<void(int, ConstMatrix)>& on_block,
                                          const std::stop_token& stop) const {
  POPLENS_TRY(work, VitWorkspace::reserve(*backend_, shape_, activations_, int64_t{grid_h} * grid_w,
                                          /*rotated=*/true));
  embed(patches, grid_h, grid_w, work);
  load_rope(grid_h, grid_w, work);
  PictureFeatures features;
  for (int i = 0; i < spec_.depth; ++i) {
    if (on_block) on_block(i, work.residual.view());
    if (stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};
    run_vit_block(*backend_, shape_, weights_.blocks[static_cast<size_t>(i)], work);
    const auto tap = std::find(spec_.deepstack_blocks.begin(), spec_.deepstack_blocks.end(), i);
    if (tap == spec_.deepstack_blocks.end()) continue;
    const auto index = static_cast<size_t>(tap - spec_.deepstack_blocks.begin());
    POPLENS_TRY(feature, merge(weights_.deepstack_mergers[index], /*norm_after_merge=*/true, work));
    features.deepstack.push_back(std::move(feature));
  }
  if (on_block) on_block(spec_.depth, work.residual.view());
  POPLENS_TRY(merged, merge(weights_.merger, /*norm_after_merge=*/false, work));
  features.main = std::move(merged);
  return features;
}

}  // namespace poplens
