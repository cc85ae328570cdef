// The kernels of every path (kernels.h) alone: exponentials, greatest value, products of packed operands.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <QtTest>

#include "engine/backend/cpu/pack.h"
#include "engine/base/float_formats.h"
#include "tests/engine/backend/cpu/path_tables.h"

using namespace poplens;
using cpu::Kernels;

Q_DECLARE_METATYPE(const Kernels*)

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Values of the kernels' type, widened.
std::vector<double> widened(const Kernels& kernels, const std::vector<std::byte>& bytes, size_t count) {
  std::vector<double> out(count);
  for (size_t i = 0; i < count; ++i) {
    if (kernels.type == DType::f32) {
      float value = 0;
      std::memcpy(&value, bytes.data() + 4 * i, sizeof(value));
      out[i] = static_cast<double>(value);
    } else {
      uint16_t bits = 0;
      std::memcpy(&bits, bytes.data() + 2 * i, sizeof(bits));
      out[i] = static_cast<double>(f32_from_bf16(bits));
    }
  }
  return out;
}

std::vector<float> random_floats(size_t count, uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  // Exact in bf16, so that every path multiplies the same numbers.
  for (float& value : values) value = f32_from_bf16(bf16_from_f32(normal(generator)));
  return values;
}

}  // namespace

class TestKernels : public QObject {
  Q_OBJECT

 private slots:
  void exponentials_data() { each_path(); }
  void exponentials();
  void exponentials_of_hidden_keys_data() { each_path(); }
  void exponentials_of_hidden_keys();
  void maximum_data() { each_path(); }
  void maximum();
  void product_data() { each_path(); }
  void product();
  void spins_data() { each_path(); }
  void spins();

 private:
  static void each_path() {
    QTest::addColumn<const Kernels*>("kernels");
    for (const auto& [name, kernels] : test::path_tables()) QTest::newRow(name.c_str()) << kernels;
  }
};

void TestKernels::exponentials() {
  QFETCH(const Kernels*, kernels);
  constexpr int n = 4096;
  const float factor = 0.75F, shift = 3.5F;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[static_cast<size_t>(i)] = 4.6F - 0.04F * static_cast<float>(i);  // 2^0 down to 2^-126
  std::vector<std::byte> bytes(n * 4);
  const float sum = kernels->exponentials(x.data(), n, factor, shift, bytes.data());
  const std::vector<double> got = widened(*kernels, bytes, n);
  // f32: 2 ulp; bf16: that and its own rounding.
  const double bound = kernels->type == DType::f32 ? 0x1p-22 : 0x1p-8 * 1.001;
  double want_sum = 0;
  for (size_t i = 0; i < n; ++i) {
    const auto t = static_cast<double>(std::fma(x[i], factor, -shift));
    const double want = std::exp2(t);
    if (t <= -126) {
      QCOMPARE(got[i], 0.0);
      continue;
    }
    QVERIFY2(std::abs(got[i] - want) <= bound * want, qPrintable(QString("2^%1").arg(t)));
    want_sum += want;
  }
  QVERIFY(std::abs(static_cast<double>(sum) - want_sum) <= 1e-6 * want_sum);
}

void TestKernels::exponentials_of_hidden_keys() {
  QFETCH(const Kernels*, kernels);
  std::vector<float> x(128, -infinity);
  for (size_t i = 37; i < 59; ++i) x[i] = 0.1F * static_cast<float>(i);
  std::vector<std::byte> whole(128 * 4), part(32 * 4);
  const float sum = kernels->exponentials(x.data(), 128, 1.0F, 6.0F, whole.data());
  const float part_sum = kernels->exponentials(x.data() + 32, 32, 1.0F, 6.0F, part.data());
  QCOMPARE(std::bit_cast<uint32_t>(sum), std::bit_cast<uint32_t>(part_sum));
  const std::vector<double> got = widened(*kernels, whole, 128);
  for (size_t i = 0; i < 128; ++i) QCOMPARE(got[i] == 0.0, i < 37 || i >= 59);
}

void TestKernels::maximum() {
  QFETCH(const Kernels*, kernels);
  for (int n = 1; n < 100; ++n) {
    std::vector<float> x = random_floats(static_cast<size_t>(n) + 1, static_cast<uint32_t>(n));
    x.back() = infinity;  // behind the end
    for (int at = 0; at < n; at += 7) {
      std::vector<float> peaked = x;
      peaked[static_cast<size_t>(at)] = 50.0F;
      QCOMPARE(kernels->maximum(peaked.data(), n), 50.0F);
    }
    QCOMPARE(kernels->maximum(x.data(), n), *std::max_element(x.begin(), x.end() - 1));
  }
}

void TestKernels::product() {
  QFETCH(const Kernels*, kernels);
  constexpr int depth = 96, packed_depth = 160;
  const int columns = 3 * kernels->panel_columns;
  for (const int rows : {1, 2, 3, 5, 6, 7, 11, 12, 13, 31, 32, 33, 75}) {
    const int room = rows + kernels->row_step;
    const std::vector<float> x = random_floats(static_cast<size_t>(rows) * depth, 1);
    const std::vector<float> weight = random_floats(static_cast<size_t>(columns) * packed_depth, 2);
    std::vector<std::byte> a(static_cast<size_t>(room) * packed_depth * 4),
        b(static_cast<size_t>(columns) * packed_depth * 4);
    cpu::pack_rows({x.data(), DType::f32, rows, depth, depth}, kernels->type, depth, a.data(), packed_depth);
    cpu::pack_columns({weight.data(), DType::f32, columns, packed_depth, packed_depth}, nullptr, *kernels, packed_depth,
                      b.data());
    // A guard row behind the last one.
    std::vector<float> c(static_cast<size_t>(rows + 1) * columns, 7.0F);
    for (const bool accumulate : {false, true}) {
      kernels->multiply({.a = a.data(),
                         .a_stride = packed_depth,
                         .rows = rows,
                         .b = b.data(),
                         .panels = 3,
                         .depth = depth,
                         .panel_depth = packed_depth,
                         .c = c.data(),
                         .c_stride = columns,
                         .accumulate = accumulate});
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
          double sum = 0, size = 0;
          for (int k = 0; k < depth; ++k) {
            const double term = static_cast<double>(x[static_cast<size_t>(int64_t{i} * depth + k)]) *
                                static_cast<double>(weight[static_cast<size_t>(int64_t{j} * packed_depth + k)]);
            sum += term;
            size += std::abs(term);
          }
          const double want = accumulate ? 2 * sum : sum;
          QVERIFY(std::abs(static_cast<double>(c[static_cast<size_t>(i * columns + j)]) - want) <= 1e-6 * size);
        }
      }
      for (int j = 0; j < columns; ++j) QCOMPARE(c[static_cast<size_t>(rows * columns + j)], 7.0F);
    }
  }
}

void TestKernels::spins() {
  QFETCH(const Kernels*, kernels);
  QVERIFY(std::isfinite(kernels->spin(10)));
  QVERIFY(kernels->flop_per_round > 0);
}

QTEST_APPLESS_MAIN(TestKernels)
#include "tst_kernels.moc"
