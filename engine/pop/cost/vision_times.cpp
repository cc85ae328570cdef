#include "engine/pop/cost/vision_times.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

namespace poplens {
namespace {

constexpr std::array<int, 3> kSides = {256, 384, 640};  // in pixels
// What is quick is timed several times: whatever else the machine does only ever makes it slower.
constexpr int kPasses = 5;
constexpr double kQuickMs = 150.0;

// An uncompressed bitmap of 24 bits a pixel with some structure in it, as a file in memory.
Picture made_up_picture(int side) {
  constexpr uint32_t header_bytes = 54;
  const auto stride = static_cast<uint32_t>((side * 3 + 3) / 4 * 4);
  const uint32_t size = header_bytes + stride * static_cast<uint32_t>(side);
  auto bytes = std::make_shared<std::vector<std::byte>>(size);
  const auto put = [&](size_t at, uint32_t value, size_t count) { std::memcpy(bytes->data() + at, &value, count); };
  put(0, 0x4D42, 2);  // "BM"
  put(2, size, 4);
  put(10, header_bytes, 4);
  put(14, 40, 4);
  put(18, static_cast<uint32_t>(side), 4);
  put(22, static_cast<uint32_t>(side), 4);
  put(26, 1, 2);
  put(28, 24, 2);
  for (size_t i = header_bytes; i < size; ++i) (*bytes)[i] = static_cast<std::byte>(i * i >> 7);
  return {.name = "calibration", .bytes = *bytes, .owner = bytes};
}

Result<PictureTime> time_picture(ImageEncoder& encoder, int side, const std::stop_token& stop) {
  const Picture picture = made_up_picture(side);
  POPLENS_TRY(geometry, encoder.measure(picture));
  const EncodeProgress nobody_looks{
      .started = [](Stage) {}, .finished = [](Stage, double) {}, .progress = [](Stage, int64_t, int64_t) {}};
  double best = 0.0;
  for (int pass = 0; pass < kPasses && (pass == 0 || best < kQuickMs); ++pass) {
    const auto start = std::chrono::steady_clock::now();
    POPLENS_CHECK(encoder.encode(picture, nobody_looks, stop));
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    best = pass == 0 ? ms : std::min(best, ms);
  }
  return PictureTime{geometry.soft_tokens(), best};
}

}  // namespace

double predicted_vision_ms(const VisionTimes& times, int64_t soft_tokens) {
  const auto tokens = static_cast<double>(soft_tokens);
  return times.ms_per_token * tokens + times.ms_per_token_squared * tokens * tokens;
}

VisionTimes fit_vision_times(const std::vector<PictureTime>& pictures) {
  const PictureTime &low = pictures.front(), &high = pictures.back();
  const auto per_token = [](const PictureTime& picture) {
    return picture.ms / static_cast<double>(picture.soft_tokens);
  };
  if (low.soft_tokens == high.soft_tokens) return {.ms_per_token = per_token(low)};
  const double square =
      std::max(0.0, (per_token(high) - per_token(low)) / static_cast<double>(high.soft_tokens - low.soft_tokens));
  return {.ms_per_token = per_token(low) - square * static_cast<double>(low.soft_tokens),
          .ms_per_token_squared = square};
}

Result<VisionTimes> calibrate_vision(ImageEncoder& encoder, double picture_ms, const std::stop_token& stop) {
  std::vector<PictureTime> pictures;
  POPLENS_CHECK(time_picture(encoder, kSides.front(), stop));  // warms up
  for (const int side : kSides) {
    const double scale = static_cast<double>(side) * side / (kSides.front() * kSides.front());
    if (!pictures.empty() && pictures.front().ms * scale > picture_ms) break;
    POPLENS_TRY(picture, time_picture(encoder, side, stop));
    if (!pictures.empty() && picture.soft_tokens <= pictures.back().soft_tokens) break;  // all cost the same
    pictures.push_back(picture);
  }
  return fit_vision_times(pictures);
}

}  // namespace poplens
