// The tower's time by picture size, and what is asked of an encoder to measure it.
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include <QtTest>

#include "engine/pop/cost/measured_speed.h"

using namespace poplens;

namespace {

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
}

// A soft token for 32 x 32 pixels of an uncompressed bitmap.
class MeasuringEncoder : public ImageEncoder {
 public:
  Result<PictureGeometry> measure(const Picture& picture) const override {
    const auto number = [&](size_t at) {
      uint32_t value = 0;
      std::memcpy(&value, picture.bytes.data() + at, sizeof value);
      return static_cast<int>(value);
    };
    if (picture.bytes.size() < 54 || picture.bytes[0] != std::byte{'B'} || picture.bytes[1] != std::byte{'M'}) {
      return Error{"not a bitmap"};
    }
    const int width = number(18), height = number(22);
    const int64_t stride = (3 * width + 3) / 4 * 4;
    if (picture.bytes.size() != static_cast<size_t>(54 + stride * height)) return Error{"a damaged bitmap"};
    return PictureGeometry{.width = width, .height = height, .grid_rows = height / 32, .grid_cols = width / 32};
  }
  int64_t workspace_bytes(const PictureGeometry&) const override { return 0; }
  Result<PictureFeatures> encode(const Picture& picture, const EncodeProgress& progress,
                                 const std::stop_token& stop) override {
    if (stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};
    POPLENS_CHECK(measure(picture));
    progress.progress(Stage::vision, 3, 7);
    return PictureFeatures{};
  }
  Result<double> attention_ms(int64_t rows, int64_t tokens) override {
    return static_cast<double>(rows) + static_cast<double>(tokens) / 1000.0;
  }
};

// Towers whose blocks take the time that they are told to, on a soft token for 32 x 32 pixels or as many for all, and
// whose attention takes no time but says that it does.
class TimedPictures {
 public:
  explicit TimedPictures(bool all_alike = false, int64_t block_ms = 32) : all_alike_(all_alike), block_ms_(block_ms) {}

  SquarePictures pictures() {
    return {.soft_tokens = [this](int side) -> Result<int64_t> { return tokens(side); },
            .encode = [this](int side, const SquarePictures::OnBlock& on_block,
                             const std::stop_token& stop) { return encode(side, on_block, stop); },
            .attention_ms = [this](int64_t rows, int64_t tokens) -> Result<double> {
              ++attention_timed;
              return attention_ms_per_pair * static_cast<double>(rows * tokens);
            }};
  }

  static constexpr int kBlocks = 6;
  std::vector<int> sides;    // in the order in which they were encoded
  std::vector<int> reached;  // blocks that were begun
  int attention_timed = 0;
  double attention_ms_per_pair = 0.0;
  int64_t mergers_ms = 0;  // behind the blocks

 private:
  int64_t tokens(int side) const { return all_alike_ ? 256 : int64_t{side / 32} * (side / 32); }

  Result<void> encode(int side, const SquarePictures::OnBlock& on_block, const std::stop_token& stop) {
    sides.push_back(side);
    reached.push_back(0);
    const int64_t block_ms = all_alike_ ? block_ms_ : block_ms_ * tokens(side) / tokens(256);
    for (int block = 0; block < kBlocks; ++block) {
      on_block(block, kBlocks);
      if (stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};
      ++reached.back();
      std::this_thread::sleep_for(std::chrono::milliseconds(block_ms));
    }
    on_block(kBlocks, kBlocks);
    std::this_thread::sleep_for(std::chrono::milliseconds(mergers_ms));
    return {};
  }

  bool all_alike_;
  int64_t block_ms_;  // of the small picture; a larger one takes tokens(large) / tokens(small) times it
};

}  // namespace

class VisionTimesTest : public QObject {
  Q_OBJECT

 private slots:
  void time_grows_with_tokens_and_their_pairs() {
    const VisionTimes times{.ms_per_token = 0.5, .ms_per_token_squared = 0.002};
    QVERIFY(near(predicted_vision_ms(times, 1024), 0.5 * 1024 + 0.002 * 1024 * 1024));
  }

  // The largest of which a block takes 200 ms at the most: 32 ms become 128 with 512 pixels a side, 288 with 768.
  void the_largest_picture_with_quick_blocks_is_timed() {
    TimedPictures tower;
    QVERIFY(calibrate_vision(tower.pictures(), 1e6, {}).ok());
    QCOMPARE(tower.sides, (std::vector<int>{256, 512}));
    QCOMPARE(tower.reached, (std::vector<int>{2, 6}));
    TimedPictures quick(/*all_alike=*/false, /*block_ms=*/8);
    QVERIFY(calibrate_vision(quick.pictures(), 1e6, {}).ok());
    QCOMPARE(quick.sides, (std::vector<int>{256, 768}));
    QCOMPARE(quick.reached, (std::vector<int>{2, 6}));
  }

  // What the attention takes from each token to each, in every block, is told by the tower, and is no part of the rest.
  void attention_is_told_apart() {
    TimedPictures tower;
    tower.attention_ms_per_pair = 0.0005;  // of 256 tokens in one block: 32.8 ms of the 128
    const auto times = calibrate_vision(tower.pictures(), 1e6, {});
    QVERIFY(times.ok());
    QCOMPARE(tower.attention_timed, 1);
    QVERIFY(near(times->ms_per_token_squared, 6 * 0.0005));
    const double rest = 6 * (128.0 - 0.0005 * 256 * 256);
    QVERIFY(times->ms_per_token * 256 >= rest - 1e-6);
    QVERIFY(near(predicted_vision_ms(*times, 1024), times->ms_per_token * 1024 + 6 * 0.0005 * 1024 * 1024));
  }

  // A picture that went through the whole tower tells what embedding and mergers take; the small one's blocks do not.
  void what_stands_around_the_blocks_counts() {
    TimedPictures tower(/*all_alike=*/false, /*block_ms=*/8);
    tower.mergers_ms = 200;
    const auto times = calibrate_vision(tower.pictures(), 1e6, {});
    QVERIFY(times.ok());
    QVERIFY(predicted_vision_ms(*times, 576) >= 6.0 * 72.0 + 200.0 - 1e-6);
  }

  // Attention that was timed while the machine was busy: the rest does not take less than nothing.
  void attention_that_is_too_dear_leaves_no_negative_rest() {
    TimedPictures tower;
    tower.attention_ms_per_pair = 1.0;
    const auto times = calibrate_vision(tower.pictures(), 1e6, {});
    QVERIFY(times.ok());
    QCOMPARE(times->ms_per_token, 0.0);
  }

  // The time of all blocks follows from the first ones: a sleep is never shorter than it was told to be.
  void what_would_take_long_is_given_up() {
    TimedPictures tower;
    const auto times = calibrate_vision(tower.pictures(), 100.0, {});
    QVERIFY(times.ok());
    QCOMPARE(tower.sides, (std::vector<int>{256, 512}));
    QCOMPARE(tower.reached, (std::vector<int>{2, 2}));
    QVERIFY(predicted_vision_ms(*times, 576) >= 1.09 * 6.0 * 32.0 * 576 / 64 - 1.0);
  }

  void where_all_cost_the_same_the_small_one_is_enough() {
    TimedPictures tower(/*all_alike=*/true);
    const auto times = calibrate_vision(tower.pictures(), 1e6, {});
    QVERIFY(times.ok());
    QCOMPARE(tower.sides, (std::vector<int>{256, 256}));
    QCOMPARE(tower.attention_timed, 0);
    QVERIFY(predicted_vision_ms(*times, 256) >= 6.0 * 32.0 - 1e-6);
  }

  // Not through all blocks, where there is no smaller picture.
  void a_slow_tower_of_one_size_is_given_up() {
    TimedPictures tower(/*all_alike=*/true);
    const auto times = calibrate_vision(tower.pictures(), 100.0, {});
    QVERIFY(times.ok());
    QCOMPARE(tower.sides, (std::vector<int>{256}));
    QCOMPARE(tower.reached, (std::vector<int>{2}));
    QVERIFY(predicted_vision_ms(*times, 256) >= 6.0 * 32.0 - 1e-6);
  }

  void a_stop_ends_it() {
    TimedPictures tower;
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(calibrate_vision(tower.pictures(), 1e6, stop.get_token()).error().cancelled);
  }

  // Made-up pictures are real files of the size that is asked for.
  void pictures_for_an_encoder_are_bitmaps() {
    MeasuringEncoder encoder;
    const SquarePictures pictures = pictures_for(encoder);
    QCOMPARE(*pictures.soft_tokens(160), 25);
    QCOMPARE(*pictures.soft_tokens(640), 400);
    std::vector<int> blocks;
    QVERIFY(pictures.encode(192, [&](int block, int of) { blocks = {block, of}; }, {}).ok());
    QCOMPARE(blocks, (std::vector<int>{3, 7}));
    QVERIFY(near(*pictures.attention_ms(2, 500), 2.5));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(pictures
                .encode(
                    192, [](int, int) {}, stop.get_token())
                .error()
                .cancelled);
  }

  // Prefill of 100 tokens through two layers, two pictures and the head, by hand.
  void ttft_is_the_sum_of_its_parts() {
    DecoderSpec spec;
    spec.layers.resize(2);
    MeasuredSpeed speed{.prefill = {.layer = {{1, 2.0}, {101, 12.0}}, .keys = {{1, 0.1}, {101, 1.1}}},
                        .first_token_ms = 3.0,
                        .vision = VisionTimes{.ms_per_token = 0.5}};
    Prompt prompt;
    prompt.ids.resize(100);
    for (const TokenSpan span : {TokenSpan{5, 25}, TokenSpan{30, 70}}) {
      prompt.pictures.push_back(
          {.tokens = span, .geometry = {.grid_rows = 1, .grid_cols = static_cast<int>(span.end - span.begin)}});
    }
    const double full = 11.9 + (0.1 + 0.98) + 2.0;  // a layer on 100 rows; K/V of 99 and the last row in full
    QVERIFY(near(predicted_ttft_ms(speed, spec, extent_of(prompt, {}), {}), full + 3.0 + 0.5 * 60));
    const PopPlan plan = *PopPlan::of_layers(2, {0}, {Boundary::Kind::text, 1});
    const double pruned = (0.1 + 0.69) + 4.9 + (0.1 + 0.98) + 2.0;  // K/V of 70 rows, 30 of text in full
    QVERIFY(near(predicted_ttft_ms(speed, spec, extent_of(prompt, plan.boundary), plan), pruned + 3.0 + 0.5 * 60));
    // Each part is corrected by what its own answers took: half-way where there is only one.
    speed.vision_took = {{30.0, 36.0}};
    QVERIFY(near(predicted_ttft_ms(speed, spec, extent_of(prompt, {}), {}), full + 3.0 + 1.1 * 30));
    speed.prefill_took = {{full, 0.8 * full}};
    QVERIFY(near(predicted_ttft_ms(speed, spec, extent_of(prompt, {}), {}), 0.9 * full + 3.0 + 1.1 * 30));
    speed.vision.reset();
    speed.prefill_took.clear();
    QVERIFY(near(predicted_ttft_ms(speed, spec, extent_of(prompt, plan.boundary), plan), pruned + 3.0));
  }

  // What an answer took is set beside what the calibration alone had told of it.
  void learns_from_an_answer() {
    DecoderSpec spec;
    spec.layers.resize(2);
    MeasuredSpeed speed{.prefill = {.layer = {{1, 2.0}, {101, 12.0}}, .keys = {{1, 0.1}, {101, 1.1}}},
                        .first_token_ms = 3.0,
                        .vision = VisionTimes{.ms_per_token = 0.5}};
    const PopPlan plan = *PopPlan::of_layers(2, {0}, {Boundary::Kind::count, 30});
    ComputedPrompt answer{.extent = {.tokens = 100, .boundary_begin = 70},
                          .plan = plan,
                          .stages = {.vision_ms = 33.0, .prefill_ms = 15.0, .boundary_ms = 4.0}};
    answer.extent.picture_tokens = {20, 40};
    for (size_t answers = 1; answers <= 2; ++answers) {
      learn(speed, spec, answer);
      QCOMPARE(speed.prefill_took.size(), answers);
      QVERIFY(near(speed.prefill_took.back().told_ms, (0.1 + 0.69) + 4.9 + (0.1 + 0.98) + 2.0));
      QVERIFY(near(speed.prefill_took.back().took_ms, 19.0));
      QCOMPARE(speed.vision_took.size(), answers);
      QVERIFY(near(speed.vision_took.back().told_ms, 30.0));
      QVERIFY(near(speed.vision_took.back().took_ms, 33.0));
    }
    // Nothing was encoded, or nothing read in: nothing is learnt of it.
    ComputedPrompt text = answer;
    text.extent.picture_tokens.clear();
    text.stages.vision_ms = 0.0;
    learn(speed, spec, text);
    learn(speed, spec, {});
    QCOMPARE(speed.prefill_took.size(), size_t{3});
    QCOMPARE(speed.vision_took.size(), size_t{2});
  }
};

QTEST_APPLESS_MAIN(VisionTimesTest)
#include "tst_vision_times.moc"
