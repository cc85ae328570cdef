// The ways through the keys (many rows, few rows, and both where the workspace is too small) give one result: the same
// bits between them, and the right ones.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <QtTest>

#include "engine/backend/cpu/attention.h"
#include "engine/base/float_formats.h"
#include "tests/engine/backend/cpu/path_tables.h"

using namespace poplens;
using cpu::Kernels;
using cpu::ThreadPool;
using cpu::Workspace;

Q_DECLARE_METATYPE(const Kernels*)

namespace {

// Random values of a type, dense.
struct Stored {
  std::vector<std::byte> bytes;
  DType type;
  int64_t cols;

  Stored(DType dtype, int64_t rows, int64_t width, uint32_t seed)
      : bytes(static_cast<size_t>(rows * width * size_of(dtype))), type(dtype), cols(width) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    for (int64_t i = 0; i < rows * width; ++i) {
      const float value = normal(generator);
      const uint16_t half = bf16_from_f32(value);
      if (type == DType::f32) {
        std::memcpy(bytes.data() + 4 * i, &value, sizeof(value));
      } else {
        std::memcpy(bytes.data() + 2 * i, &half, sizeof(half));
      }
    }
  }
  ConstMatrix rows(int64_t first, int64_t count) const {
    return {bytes.data() + first * cols * size_of(type), type, count, cols, cols};
  }
};

}  // namespace

class TestAttentionWays : public QObject {
  Q_OBJECT

 private slots:
  void chunks_data();
  void chunks();
  void more_keys_than_the_workspace_holds();
};

void TestAttentionWays::chunks_data() {
  QTest::addColumn<const Kernels*>("kernels");
  for (const auto& [name, kernels] : test::path_tables()) QTest::newRow(name.c_str()) << kernels;
}

void TestAttentionWays::chunks() {
  QFETCH(const Kernels*, kernels);
  constexpr int rows = 100, past = 450, heads = 4, kv_heads = 2;
  auto workspace = Workspace::reserve(3);
  QVERIFY(workspace.ok());
  ThreadPool one(1), three(3);
  for (const int head_dim : {24, 64, 72, 128}) {
    const AttentionShape shape{heads, kv_heads, head_dim, 0.3F};
    const Stored q(kernels->type, rows, heads * head_dim, 1), k(kernels->type, rows + past, kv_heads * head_dim, 2),
        v(kernels->type, rows + past, kv_heads * head_dim, 3);
    for (const int window : {rows + past, 100}) {
      std::vector<KeyRange> ranges;
      ranges.reserve(static_cast<size_t>(rows));
      for (int i = 0; i < rows; ++i) ranges.push_back({std::max(0, past + i + 1 - window), past + i + 1});
      const auto run = [&](int step, ThreadPool& pool) {
        const int64_t width = int64_t{heads} * head_dim;
        std::vector<float> out(static_cast<size_t>(rows * width), std::numeric_limits<float>::quiet_NaN());
        for (int first = 0; first < rows; first += step) {
          const int count = std::min(step, rows - first);
          const int keys = ranges[static_cast<size_t>(first + count - 1)].end;
          cpu::attention(shape, q.rows(first, count), k.rows(0, keys), v.rows(0, keys),
                         std::span(ranges).subspan(static_cast<size_t>(first), static_cast<size_t>(count)),
                         {out.data() + first * width, DType::f32, count, width, width}, *kernels, *workspace, pool);
        }
        return out;
      };
      const std::vector<float> whole = run(rows, three);
      for (const int step : {1, 7, 64}) {
        const std::vector<float> chunked = run(step, step == 7 ? three : one);
        QVERIFY2(std::memcmp(whole.data(), chunked.data(), whole.size() * sizeof(float)) == 0,
                 qPrintable(QString("head of %1, window %2, chunks of %3").arg(head_dim).arg(window).arg(step)));
      }
    }
  }
}

void TestAttentionWays::more_keys_than_the_workspace_holds() {
  constexpr int keys = 1'000'000, head_dim = 4;
  const AttentionShape shape{1, 1, head_dim, 0.5F};
  auto workspace = Workspace::reserve(2);
  QVERIFY(workspace.ok());
  ThreadPool pool(2);
  const Stored q(DType::f32, 17, head_dim, 1), k(DType::f32, keys, head_dim, 2), v(DType::f32, keys, head_dim, 3);
  const auto value = [](const Stored& m, int64_t at) {
    float x = 0;
    std::memcpy(&x, m.bytes.data() + 4 * at, sizeof(x));
    return static_cast<double>(x);
  };
  std::vector<double> want(head_dim);
  double weight = 0;
  for (int64_t j = 0; j < keys; ++j) {
    double score = 0;
    for (int64_t d = 0; d < head_dim; ++d) score += value(q, d) * value(k, j * head_dim + d);
    const double power = std::exp(0.5 * score);
    weight += power;
    for (int64_t d = 0; d < head_dim; ++d) want[static_cast<size_t>(d)] += power * value(v, j * head_dim + d);
  }
  for (const int rows : {1, 16, 17}) {
    const std::vector<KeyRange> ranges(static_cast<size_t>(rows), KeyRange{0, keys});
    std::vector<float> out(static_cast<size_t>(rows * head_dim));
    cpu::attention(shape, q.rows(0, rows), k.rows(0, keys), v.rows(0, keys), ranges,
                   {out.data(), DType::f32, rows, head_dim, head_dim}, cpu::avx2_kernels(), *workspace, pool);
    for (size_t d = 0; d < head_dim; ++d) {
      QVERIFY(std::abs(static_cast<double>(out[d]) - want[d] / weight) < 1e-5);
    }
  }
}

QTEST_APPLESS_MAIN(TestAttentionWays)
#include "tst_attention_ways.moc"
