#include "vision/siglip_tower.h"

#include <algorithm>

namespace poplens {
namespace {

// Means over pool x pool squares of a [side * side, width] grid: [(side / pool)^2, width].
std::vector<float> average_squares(std::span<const float> grid, int side, int pool, int64_t width) {
  const int out_side = side / pool;
  std::vector<float> means(static_cast<size_t>(out_side) * static_cast<size_t>(out_side * width), 0.0F);
  for (int row = 0; row < side; ++row) {
    for (int col = 0; col < side; ++col) {
      const float* source = grid.data() + (static_cast<int64_t>(row) * side + col) * width;
      float* target = means.data() + (static_cast<int64_t>(row / pool) * out_side + col / pool) * width;
      for (int64_t j = 0; j < width; ++j) target[j] += source[j];
    }
  }
  const float share = 1.0F / static_cast<float>(pool * pool);
  for (float& mean : means) mean *= share;
  return means;
}

}  // namespace

SiglipTower::SiglipTower(SiglipSpec spec, SiglipWeights weights, std::shared_ptr<Backend> backend, DType activations)
    : spec_(spec), weights_(std::move(weights)), backend_(std::move(backend)), activations_(activations) {
  shape_ = {spec_.hidden, spec_.intermediate, spec_.patch_values(), spec_.heads, spec_.norm_eps};
}

int64_t SiglipTower::workspace_bytes() const {
  const int64_t pooled = spec_.patches() * spec_.hidden + 2 * spec_.soft_tokens() * spec_.hidden;
  return VitWorkspace::bytes(shape_, activations_, spec_.patches(), /*rotated=*/false) +
         (pooled + spec_.soft_tokens() * spec_.out_hidden) * size_of(DType::f32);
}

// x = patches · W^T + b + learnt positions.
void SiglipTower::embed(const PatchReader& patches, VitWorkspace& work) const {
  const int64_t values = spec_.patch_values();
  std::vector<float> pixels;
  for (int64_t first = 0; first < work.patches; first += kVitBlockRows) {
    const int64_t count = std::min(kVitBlockRows, work.patches - first);
    pixels.resize(static_cast<size_t>(count * values));
    patches(first, count, pixels);
    const Matrix input{work.wide.buffer.data.get(), activations_, count, values, values};
    const Matrix rows = work.residual.view().row_range(first, count);
    backend_->write(pixels, input);
    backend_->write(std::span(weights_.positions)
                        .subspan(static_cast<size_t>(first * spec_.hidden), static_cast<size_t>(count * spec_.hidden)),
                    rows);
    const MatmulPart part{.weight = weights_.patch_embed.weight.view,
                          .out = rows,
                          .bias = weights_.patch_embed.bias.data(),
                          .accumulate = true};
    backend_->matmul(input, {&part, 1});
  }
}

// post-norm, average over squares of patches, RMS norm, projection to the decoder's width.
Result<PictureFeatures> SiglipTower::project(VitWorkspace& work) const {
  Backend& backend = *backend_;
  POPLENS_TRY(normed, allocate_array(backend, DType::f32, spec_.patches(), spec_.hidden));
  backend.layer_norm(work.residual.view(), weights_.post_norm.weight.data(), weights_.post_norm.bias.data(),
                     spec_.norm_eps, normed.view());
  std::vector<float> grid(static_cast<size_t>(spec_.patches() * spec_.hidden));
  backend.read_back(normed.view(), grid);
  const int pool = spec_.patches_side() / spec_.tokens_side;

  POPLENS_TRY(pooled, allocate_array(backend, DType::f32, spec_.soft_tokens(), spec_.hidden));
  POPLENS_TRY(soft, allocate_array(backend, activations_, spec_.soft_tokens(), spec_.hidden));
  POPLENS_TRY(features, allocate_array(backend, DType::f32, spec_.soft_tokens(), spec_.out_hidden));
  backend.write(average_squares(grid, spec_.patches_side(), pool, spec_.hidden), pooled.view());
  backend.rms_norm(pooled.view(), weights_.soft_norm.data(), spec_.norm_eps, soft.view());
  const MatmulPart part{.weight = weights_.projection.view, .out = features.view()};
  backend.matmul(soft.view(), {&part, 1});
  return PictureFeatures{.main = features, .deepstack = {}};
}

Result<PictureFeatures> SiglipTower::run(const PatchReader& patches,
                                         const std::function<void(int, ConstMatrix)>& on_block,
                                         const std::stop_token& stop) const {
  POPLENS_TRY(work, VitWorkspace::reserve(*backend_, shape_, activations_, spec_.patches(), /*rotated=*/false));
  embed(patches, work);
  for (int i = 0; i < spec_.depth; ++i) {
    if (on_block) on_block(i, work.residual.view());
    if (stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};
    run_vit_block(*backend_, shape_, weights_.blocks[static_cast<size_t>(i)], work);
  }
  if (on_block) on_block(spec_.depth, work.residual.view());
  return project(work);
}

}  // namespace poplens
