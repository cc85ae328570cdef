#include "engine/session/kv_cache.h"

namespace poplens {
namespace {

// Grown in steps, so that a conversation does not copy its cache at every turn.
constexpr int64_t kStepTokens = 256;

}  // namespace

int64_t KvCache::bytes(const DecoderSpec& spec, DType dtype, int64_t tokens) {
  const int64_t rounded = (tokens + kStepTokens - 1) / kStepTokens * kStepTokens;
  return 2 * rounded * spec.kv_width() * size_of(dtype) * spec.layer_count();
}

Result<void> KvCache::reserve(const Decoder& decoder, int64_t tokens, int64_t keep) {
  if (tokens <= capacity_) return {};
  const DecoderSpec& spec = decoder.spec();
  const DType dtype = decoder.activations();
  const int64_t rows = (tokens + kStepTokens - 1) / kStepTokens * kStepTokens;
  const int64_t width = spec.kv_width();

  std::vector<Buffer> buffers;
  std::vector<KvView> views;
  for (int layer = 0; layer < spec.layer_count(); ++layer) {
    POPLENS_TRY(buffer, decoder.backend().allocate(2 * rows * width * size_of(dtype)));
    const Matrix both{buffer.data.get(), dtype, 2 * rows, width, width};
    const KvView view{both.row_range(0, rows), both.row_range(rows, rows)};
    if (keep > 0) {
      const KvView& old = views_[static_cast<size_t>(layer)];
      decoder.backend().copy(old.k.row_range(0, keep), view.k.row_range(0, keep));
      decoder.backend().copy(old.v.row_range(0, keep), view.v.row_range(0, keep));
    }
    buffers.push_back(std::move(buffer));
    views.push_back(view);
  }
  buffers_ = std::move(buffers);
  views_ = std::move(views);
  capacity_ = rows;
  return {};
}

}  // namespace poplens
