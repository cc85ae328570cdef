// Large pictures: the vision tower's memory grows with the number of patches, not with its square, and stays near what
// is reckoned beforehand. Each size runs in a process of its own, whose peak is the kernel's own figure.
#include <QProcess>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "engine/session/memory_need.h"
#include "tests/parity/session_harness.h"
#include "vision/picture_encoder.h"

using namespace poplens;
using namespace poplens::test;

namespace {

struct Measured {
  int64_t before_bytes = 0;  // the peak after loading and a tiny picture
  int64_t peak_bytes = 0;
  int64_t reckoned_bytes = 0;
  int64_t soft_tokens = 0;
};

// The tiny checkpoint's tower with its first block only: the time of attention grows with the square of the patches.
Result<std::shared_ptr<ImageEncoder>> one_block_encoder(const std::filesystem::path& folder, ModelConfig config,
                                                        const WeightSource& source, std::shared_ptr<Backend> backend,
                                                        DType activations, std::optional<int> max_image_tokens) {
  nlohmann::json vision = config.vision_config->value();
  vision["depth"] = 1;
  vision["deepstack_visual_indexes"] = {0};
  config.vision_config = JsonObject(vision, config.vision_config->where());
  return make_image_encoder(folder, config, source, std::move(backend), activations, max_image_tokens);
}

// What is reckoned leaves out the decoder's and the resizer's buffers and what the backend packs a block of rows into.
int64_t most_bytes(const Measured& measured) {
  return measured.reckoned_bytes + 16'000'000;
}

// Encodes one square picture and prints the four figures.
int encode_alone(int side) {
  const LoadOptions options{.activations = DType::bf16, .max_image_tokens = 16'384};
  const auto loaded = load_model(test_data("data/qwen3_vl/tiny-tied"), options, one_block_encoder);
  if (!loaded.ok()) return 1;
  const LoadedModel& model = *loaded;
  const EncodeProgress quiet{
      .started = [](Stage) {}, .finished = [](Stage, double) {}, .progress = [](Stage, int64_t, int64_t) {}};
  if (!model.encoder->encode(drawn_picture(64, 64, 1), quiet, {}).ok()) return 1;
  const Picture picture = drawn_picture(side, side, 2);
  const auto geometry = model.encoder->measure(picture);
  if (!geometry.ok()) return 1;
  const int64_t before = peak_memory_bytes();
  const auto features = model.encoder->encode(picture, quiet, {});
  if (!features.ok() || features->main.rows != geometry->soft_tokens()) return 1;
  std::printf("%lld %lld %lld %lld\n", static_cast<long long>(before), static_cast<long long>(peak_memory_bytes()),
              static_cast<long long>(model.encoder->workspace_bytes(*geometry)),
              static_cast<long long>(geometry->soft_tokens()));
  return 0;
}

}  // namespace

class VisionMemoryTest : public QObject {
  Q_OBJECT

  static Measured measure(int side) {
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(), {"--encode", QString::number(side)});
    Measured measured;
    if (!process.waitForFinished(500'000) || process.exitCode() != 0) return measured;
    const auto figures = process.readAllStandardOutput().trimmed().split(' ');
    if (figures.size() != 4) return measured;
    measured = {figures[0].toLongLong(), figures[1].toLongLong(), figures[2].toLongLong(), figures[3].toLongLong()};
    return measured;
  }

 private slots:
  void memory_grows_with_the_patches() {
    const Measured small = measure(1024);
    const Measured large = measure(2048);
    QVERIFY(small.soft_tokens > 0);
    QCOMPARE(large.soft_tokens, 4 * small.soft_tokens);
    const auto taken = [](const Measured& measured) { return measured.peak_bytes - measured.before_bytes; };
    qInfo("1024: %s taken, %s reckoned; 2048: %s taken, %s reckoned", format_bytes(taken(small)).c_str(),
          format_bytes(small.reckoned_bytes).c_str(), format_bytes(taken(large)).c_str(),
          format_bytes(large.reckoned_bytes).c_str());
#ifndef __SANITIZE_ADDRESS__
    QVERIFY(taken(large) <= 5 * taken(small));
    QVERIFY(taken(small) <= most_bytes(small));
    QVERIFY(taken(large) <= most_bytes(large));
#endif
  }

  void a_picture_of_4096_by_4096() {
#ifdef __SANITIZE_ADDRESS__
    QSKIP("takes minutes under AddressSanitizer");
#endif
    QElapsedTimer timer;
    timer.start();
    const Measured measured = measure(4096);
    QCOMPARE(measured.soft_tokens, 16'384);
    const int64_t taken = measured.peak_bytes - measured.before_bytes;
    qInfo("4096: %.1f s, %s taken, %s reckoned", static_cast<double>(timer.elapsed()) / 1000.0,
          format_bytes(taken).c_str(), format_bytes(measured.reckoned_bytes).c_str());
    QVERIFY(taken <= most_bytes(measured));  // scores of 65,536 patches squared would be 17 GB
  }
};

// NOLINTNEXTLINE(bugprone-exception-escape): it then fails, as it should.
int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--encode") return encode_alone(std::atoi(argv[2]));
  qputenv("QTEST_FUNCTION_TIMEOUT", "590000");  // ms; a machine may be busy
  QCoreApplication application(argc, argv);
  VisionMemoryTest test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_vision_memory.moc"
