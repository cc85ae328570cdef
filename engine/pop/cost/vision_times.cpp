#include "engine/pop/cost/vision_times.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "engine/base/clock.h"

namespace poplens {
namespace {

// In pixels. The smallest goes through two blocks; the largest of which a block is quick is the one that tells.
constexpr std::array<int, 3> kSides = {256, 512, 768};
constexpr double kQuickBlockMs = 200.0;
// Soft tokens whose attention is timed, and those that they see: as many as a large picture has.
constexpr int64_t kAttentionRows = 128, kAttentionTokens = 1024;
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
  int blocks = 0;
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
                   .blocks = blocks,
                   .block_ms = quickest,
                   .blocks_ms = quickest * blocks,
                   .whole_ms = done.ok() ? ms_since(start) : 0.0};
}

// The cheapest of the pictures tells what a token takes: whatever else the machine does only ever makes one dearer.
VisionTimes fit_vision_times(const std::vector<TowerTime>& towers, double attention_ms_per_pair) {
  VisionTimes times{.ms_per_token = std::numeric_limits<double>::infinity(),
                    .ms_per_token_squared = attention_ms_per_pair};
  for (const TowerTime& tower : towers) {
    const auto tokens = static_cast<double>(tower.soft_tokens);
    const double attention_ms = attention_ms_per_pair * tokens * tokens;
    const double rest_ms =
        tower.whole_ms > 0.0 ? tower.whole_ms - attention_ms : kWholeOfBlocks * (tower.blocks_ms - attention_ms);
    times.ms_per_token = std::min(times.ms_per_token, std::max(0.0, rest_ms) / tokens);
  }
  return times;
}

}  // namespace

double predicted_vision_ms(const VisionTimes& times, int64_t soft_tokens) {
  const auto tokens = static_cast<double>(soft_tokens);
  return times.ms_per_token * tokens + times.ms_per_token_squared * tokens * tokens;
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
          },
          .attention_ms = [&encoder](int64_t rows, int64_t tokens) { return encoder.attention_ms(rows, tokens); }};
}

Result<VisionTimes> calibrate_vision(const SquarePictures& pictures, double most_ms, const std::stop_token& stop) {
  POPLENS_TRY(first, time_picture(pictures, kSides.front(), 0.0, stop));
  POPLENS_TRY(largest_tokens, pictures.soft_tokens(kSides.back()));
  const bool all_alike = largest_tokens <= first.soft_tokens;
  int side = kSides.front();
  for (const int larger : kSides) {
    POPLENS_TRY(tokens, pictures.soft_tokens(larger));
    const double times_first = static_cast<double>(tokens) / static_cast<double>(first.soft_tokens);
    if (!all_alike && first.block_ms * times_first <= kQuickBlockMs) side = larger;
  }
  std::vector<TowerTime> towers = {first};
  if (side != kSides.front() || first.blocks_ms <= most_ms) {
    POPLENS_TRY(timed, time_picture(pictures, side, most_ms, stop));
    if (timed.whole_ms > 0.0) towers.clear();  // it tells what embedding and mergers take as well
    towers.push_back(timed);
  }
  double attention_ms = 0.0;
  if (!all_alike) {
    POPLENS_TRY(ms, pictures.attention_ms(kAttentionRows, kAttentionTokens));
    attention_ms = first.blocks * ms / static_cast<double>(kAttentionRows * kAttentionTokens);
  }
  return fit_vision_times(towers, attention_ms);
}

}  // namespace poplens
