#include "engine/session/feature_cache.h"

#include <algorithm>

namespace poplens {
namespace {

int64_t bytes_of(const PictureFeatures& features) {
  int64_t bytes = features.main.buffer.bytes;
  for (const DeviceArray& array : features.deepstack) bytes += array.buffer.bytes;
  return bytes;
}

}  // namespace

std::optional<PictureFeatures> FeatureCache::find(uint64_t key) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.key == key; });
  if (found == entries_.end()) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, found);
  return entries_.front().features;
}

void FeatureCache::keep(uint64_t key, const PictureFeatures& features) {
  const int64_t bytes = bytes_of(features);
  if (bytes > most_bytes_ || find(key)) return;
  while (bytes_ + bytes > most_bytes_) {
    bytes_ -= entries_.back().bytes;
    entries_.pop_back();
  }
  entries_.push_front({key, bytes, features});
  bytes_ += bytes;
}

void FeatureCache::clear() {
  entries_.clear();
  bytes_ = 0;
}

}  // namespace poplens
