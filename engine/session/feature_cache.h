// Vision features of pictures seen lately, so that a second question about a picture does not encode it again.
#pragma once

#include <cstdint>
#include <list>
#include <optional>

#include "engine/session/image_encoder.h"

namespace poplens {

// Features are shared, not copied. Holds at most `most_bytes` of them; what was not used for longest goes first.
class FeatureCache {
 public:
  explicit FeatureCache(int64_t most_bytes) : most_bytes_(most_bytes) {}

  // `key` tells apart a picture's content and the size and part of it that the tower was shown.
  std::optional<PictureFeatures> find(uint64_t key);
  // Features that are larger than the whole cache are not kept.
  void keep(uint64_t key, const PictureFeatures& features);
  void clear();
  int64_t bytes() const { return bytes_; }

 private:
  struct Entry {
    uint64_t key = 0;
    int64_t bytes = 0;
    PictureFeatures features;
  };

  int64_t most_bytes_;
  int64_t bytes_ = 0;
  std::list<Entry> entries_;  // used last first
};

}  // namespace poplens
