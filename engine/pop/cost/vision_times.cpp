#include "engine/pop/cost/vision_times.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/base/clock.h"

namespace poplens {
namespace {

// In pixels. A small one goes through the whole tower, or, where that would take long, through two blocks. The largest
// shows best what attention costs; where a block of it would take long, a smaller one does.
constexpr int kSmallSide = 256, kLargeSide = 768, kLargestSide = 896;
constexpr double kLargestBlockMs = 300.0;
// Where only blocks are timed: embedding and mergers do a twelfth (2B) to a tenth (8B) of their multiply-adds.
constexpr double kWholeOfBlocks = 1.09;
// Blocks that are timed before a picture may be given up: the first one meets memory that nobody has touched.
constexpr int kTimedBlocks = 2;

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

struct TowerTime {
  int64_t soft_tokens = 0;
  double block_ms = 0.0;   // the quickest
  double blocks_ms = 0.0;  // all of them, were they as quick
  double whole_ms = 0.0;   // with embedding and mergers; 0 where the picture was given up
};

Result<TowerTime> time_picture(const SquarePictures& pictures, int side, double most_ms, const std::stop_token& stop) {
  POPLENS_TRY(soft_tokens, pictures.soft_tokens(side));
  std::stop_source enough;
  const std::stop_callback forward_stop(stop, [&] { enough.request_stop(); });
  double quickest = 0.0;
  int timed = 0, blocks = 0;
  auto before = Clock::now();
  const auto on_block = [&](int block, int of_blocks) {
    const auto now = Clock::now();
    blocks = of_blocks;
    if (block > 0) {
      const double ms = ms_between(before, now);
      quickest = timed == 0 ? ms : std::min(quickest, ms);
      if (++timed == kTimedBlocks && quickest * blocks > most_ms) enough.request_stop();
    }
    before = now;
  };
  const auto start = Clock::now();
  const auto done = pictures.encode(side, on_block, enough.get_token());
  if (!done.ok() && (!done.error().cancelled || stop.stop_requested())) return done.error();
  return TowerTime{.soft_tokens = soft_tokens,
                   .block_ms = quickest,
                   .blocks_ms = quickest * blocks,
                   .whole_ms = done.ok() ? ms_since(start) : 0.0};
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
  const double linear = per_token(low) - square * static_cast<double>(low.soft_tokens);
  if (linear >= 0.0) return {.ms_per_token = linear, .ms_per_token_squared = square};
  // A machine that was busy with something else: no picture takes less than nothing.
  return {.ms_per_token_squared = per_token(high) / static_cast<double>(high.soft_tokens)};
}

SquarePictures pictures_for(ImageEncoder& encoder) {
  return {.soft_tokens = [&encoder](int side) -> Result<int64_t> {
            POPLENS_TRY(geometry, encoder.measure(made_up_picture(side)));
            return geometry.soft_tokens();
          },
          .encode = [&encoder](int side, const SquarePictures::OnBlock& on_block,
                               const std::stop_token& stop) -> Result<void> {
            const EncodeProgress progress{
                .started = [](Stage) {},
                .finished = [](Stage, double) {},
                .progress = [&](Stage, int64_t done,
                                int64_t total) { on_block(static_cast<int>(done), static_cast<int>(total)); }};
            POPLENS_CHECK(encoder.encode(made_up_picture(side), progress, stop));
            return {};
          }};
}

Result<VisionTimes> calibrate_vision(const SquarePictures& pictures, double most_ms, const std::stop_token& stop) {
  POPLENS_TRY(first, time_picture(pictures, kSmallSide, 0.0, stop));
  POPLENS_TRY(largest_tokens, pictures.soft_tokens(kLargestSide));
  const bool all_alike = largest_tokens <= first.soft_tokens;
  const bool quick = first.blocks_ms <= most_ms;
  PictureTime small{first.soft_tokens, kWholeOfBlocks * first.blocks_ms};
  if (quick) {
    POPLENS_TRY(whole, time_picture(pictures, kSmallSide, std::numeric_limits<double>::infinity(), stop));
    small.ms = whole.whole_ms;
  }
  if (all_alike) return fit_vision_times({small});
  const double times_first = static_cast<double>(largest_tokens) / static_cast<double>(first.soft_tokens);
  const int large_side = first.block_ms * times_first <= kLargestBlockMs ? kLargestSide : kLargeSide;
  POPLENS_TRY(large, time_picture(pictures, large_side, most_ms, stop));
  // What a tower does besides its blocks grows with the picture as well.
  const double whole_of_blocks = quick ? std::max(1.0, small.ms / first.blocks_ms) : kWholeOfBlocks;
  return fit_vision_times({small, {large.soft_tokens, whole_of_blocks * large.blocks_ms}});
}

}  // namespace poplens
