// Keys and values of a conversation, all layers.
#pragma once

#include <vector>

#include "engine/model/decoder.h"

namespace poplens {

class KvCache {
 public:
  // Bytes that `tokens` positions take.
  static int64_t bytes(const DecoderSpec& spec, DType dtype, int64_t tokens);

  // Makes room for `tokens` positions; the first `keep` rows survive.
  Result<void> reserve(const Decoder& decoder, int64_t tokens, int64_t keep);
  int64_t capacity() const { return capacity_; }
  std::span<const KvView> layers() const { return views_; }

 private:
  int64_t capacity_ = 0;
  std::vector<Buffer> buffers_;
  std::vector<KvView> views_;
};

}  // namespace poplens
