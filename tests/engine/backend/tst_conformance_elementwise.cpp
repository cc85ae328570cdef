// The row-by-row operations of every backend against double precision.
#include <algorithm>
#include <cmath>
#include <limits>

#include <QtTest>

#include "tests/engine/backend/conformance_test.h"
#include "tests/support/compare.h"
#include "tests/support/device_matrix.h"
#include "tests/support/reference_ops.h"

using namespace poplens;
using namespace poplens::test;

namespace {

constexpr int64_t kWidths[] = {1, 2, 7, 8, 9, 31, 32, 33, 36, 64, 100, 255, 1152};

// Angles as positions and frequencies make them, for rows that begin at position 5.
void rotation(int64_t rows, int64_t half, Values& cos, Values& sin) {
  cos = sin = Values(rows, half);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < half; ++j) {
      const double angle = static_cast<double>(i + 5) * std::pow(100.0, -static_cast<double>(j) / half);
      cos.at(i, j) = rounded(std::cos(angle), DType::f32);
      sin.at(i, j) = rounded(std::sin(angle), DType::f32);
    }
  }
}

}  // namespace

class TestConformanceElementwise : public ConformanceTest {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY2(!backends_.names().empty(), "no backend runs on this machine"); }
  void memory_data() { each_backend(); }
  void memory();
  void write_and_read_back_data() { each_backend(); }
  void write_and_read_back();
  void import_keeps_weights_data() { each_backend(); }
  void import_keeps_weights();
  void embed_data() { each_backend(); }
  void embed();
  void rms_norm_data() { each_backend(); }
  void rms_norm();
  void rms_norm_in_place_data() { each_backend(); }
  void rms_norm_in_place();
  void rms_norm_accumulates_data() { each_backend(); }
  void rms_norm_accumulates();
  void layer_norm_data() { each_backend(); }
  void layer_norm();
  void norm_rotate_heads_data() { each_backend(); }
  void norm_rotate_heads();
  void add_data() { each_backend(); }
  void add();
  void copy_data() { each_backend(); }
  void copy();
  void same_bits_for_any_rows_and_threads_data() { each_backend(); }
  void same_bits_for_any_rows_and_threads();
};

void TestConformanceElementwise::memory() {
  for (const int64_t bytes : {1, 4, 64, 4096, 1'000'004}) {
    const auto buffer = backend().allocate(bytes);
    QVERIFY(buffer.ok());
    QVERIFY(buffer->bytes >= bytes);
    QCOMPARE(reinterpret_cast<uintptr_t>(buffer->data.get()) % 64, uintptr_t{0});
    if (bytes < 4) continue;
    std::vector<float> host(static_cast<size_t>(bytes / 4), 1.0F);
    backend().read_back({buffer->data.get(), DType::f32, 1, bytes / 4, bytes / 4}, host);
    for (const float value : host) QCOMPARE(value, 0.0F);
  }
  const auto too_much = backend().allocate(int64_t{1} << 60);
  QVERIFY(!too_much.ok());
  QVERIFY(QString::fromStdString(too_much.error().message).contains("1152921504606846976"));
}

void TestConformanceElementwise::write_and_read_back() {
  for (const DType type : kActivationTypes) {
    for (const int64_t gap : {0, 1, 6}) {
      Values values = random_values(17, 33, 3.0, DType::f32, 1);
      DeviceMatrix matrix(backend(), type, values, gap);
      for (double& value : values.data) value = rounded(value, type);
      QCOMPARE(bit_difference(matrix.values(), values), QString());
      QVERIFY(matrix.surroundings_untouched());
    }
  }
}

void TestConformanceElementwise::import_keeps_weights() {
  for (const DType type : kWeightTypes) {
    Values values = random_values(9, 21, 0.05, type, 2);
    values.at(0, 0) = 0x1p-24;  // in f16 the smallest number of all
    const DeviceWeight weight(backend(), type, values);
    std::vector<float> host(values.data.size());
    backend().read_back(weight.view(), host);
    Values got(values.rows, values.cols);
    got.data.assign(host.begin(), host.end());
    QCOMPARE(bit_difference(got, values), QString());
  }
}

void TestConformanceElementwise::embed() {
  const std::vector<int32_t> ids = {3, 0, 18, 18, 7, 1};
  for (const DType table_type : kWeightTypes) {
    for (const int64_t width : kWidths) {
      for (const float scale : {1.0F, 33.941125F}) {
        const Values table = random_values(19, width, 1.0, table_type, 3);
        const DeviceWeight device_table(backend(), table_type, table);
        Values want(static_cast<int64_t>(ids.size()), width);
        for (int64_t i = 0; i < want.rows; ++i) {
          for (int64_t j = 0; j < width; ++j) {
            want.at(i, j) = rounded(table.at(ids[static_cast<size_t>(i)], j) * scale, DType::f32);
          }
        }
        DeviceMatrix out(backend(), DType::f32, want.rows, width);
        backend().embed(device_table.view(), ids, scale, out.view());
        QCOMPARE(bit_difference(out.values(), want), QString());
        QVERIFY(out.surroundings_untouched());
      }
    }
  }
}

void TestConformanceElementwise::rms_norm() {
  for (const int64_t rows : kRowCounts) {
    for (const int64_t width : kWidths) {
      // Sizes of the residual stream from a small model's to the outliers of a large one's; and eps alone.
      for (const double size : {0.7, 4.0e4, 1.0e-5}) {
        const Values x = random_values(rows, width, size, DType::f32, 4);
        const Values weight = random_values(1, width, 1.0, DType::f32, 5);
        const DeviceMatrix device_x(backend(), DType::f32, x);
        const DeviceWeight device_weight(backend(), DType::f32, weight);
        for (const DType type : kActivationTypes) {
          for (const bool weighted : {true, false}) {
            DeviceMatrix out(backend(), type, rows, width);
            backend().rms_norm(device_x.view(), weighted ? device_weight.vector() : nullptr, 1e-6F, out.view());
            const Reference want = stored(test::rms_norm(x, weighted ? &weight : nullptr, 1e-6F), type);
            QCOMPARE(difference(out.values(), want), QString());
            QVERIFY(out.surroundings_untouched());
          }
        }
      }
    }
  }
}

void TestConformanceElementwise::rms_norm_accumulates() {
  for (const int64_t width : kWidths) {
    const Values x = random_values(7, width, 1.0, DType::f32, 6);
    const Values weight = random_values(1, width, 1.0, DType::f32, 7);
    const Values old = random_values(7, width, 5.0, DType::f32, 8);
    const DeviceMatrix device_x(backend(), DType::f32, x);
    const DeviceWeight device_weight(backend(), DType::f32, weight);
    DeviceMatrix out(backend(), DType::f32, old);
    backend().rms_norm(device_x.view(), device_weight.vector(), 1e-6F, out.view(), /*accumulate=*/true);
    QCOMPARE(difference(out.values(), stored(test::rms_norm(x, &weight, 1e-6F), DType::f32, &old)), QString());
    QVERIFY(out.surroundings_untouched());
  }
}

void TestConformanceElementwise::rms_norm_in_place() {
  for (const int64_t width : kWidths) {
    const Values x = random_values(7, width, 1.0, DType::f32, 4);
    const Values weight = random_values(1, width, 1.0, DType::f32, 5);
    const DeviceWeight device_weight(backend(), DType::f32, weight);
    DeviceMatrix device_x(backend(), DType::f32, x);
    backend().rms_norm(device_x.view(), device_weight.vector(), 1e-6F, device_x.view());
    QCOMPARE(difference(device_x.values(), stored(test::rms_norm(x, &weight, 1e-6F), DType::f32)), QString());
    QVERIFY(device_x.surroundings_untouched());
  }
}

void TestConformanceElementwise::layer_norm() {
  for (const int64_t rows : kRowCounts) {
    for (const int64_t width : kWidths) {
      // A mean far from zero: E[x^2] - mean^2 would leave nothing of the variance.
      for (const double offset : {0.3, 1000.0}) {
        Values x = random_values(rows, width, 1.0, DType::f32, 9);
        for (double& value : x.data) value = rounded(value + offset, DType::f32);
        const Values weight = random_values(1, width, 1.0, DType::f32, 10);
        const Values bias = random_values(1, width, 1.0, DType::f32, 11);
        const DeviceMatrix device_x(backend(), DType::f32, x);
        const DeviceWeight device_weight(backend(), DType::f32, weight);
        const DeviceWeight device_bias(backend(), DType::f32, bias);
        for (const DType type : kActivationTypes) {
          DeviceMatrix out(backend(), type, rows, width);
          backend().layer_norm(device_x.view(), device_weight.vector(), device_bias.vector(), 1e-6F, out.view());
          const Reference want = stored(test::layer_norm(x, &weight, &bias, 1e-6F), type);
          QCOMPARE(difference(out.values(), want), QString());
          QVERIFY(out.surroundings_untouched());
        }
      }
    }
  }
}

void TestConformanceElementwise::norm_rotate_heads() {
  for (const int head_dim : {2, 4, 8, 12, 16, 24, 36, 64, 72, 80, 128, 256}) {
    for (const int64_t rows : {1, 3, 17}) {
      const int heads = 1 + head_dim % 5;
      const int64_t half = head_dim / 2;
      const Values weight = random_values(1, head_dim, 1.0, DType::f32, 12);
      Values cos;
      Values sin;
      rotation(rows, half, cos, sin);
      const DeviceWeight device_weight(backend(), DType::f32, weight);
      const DeviceMatrix device_cos(backend(), DType::f32, cos, 0);
      const DeviceMatrix device_sin(backend(), DType::f32, sin, 0);
      for (const DType type : kActivationTypes) {
        for (const bool normed : {true, false}) {
          for (const bool rotated : {true, false}) {
            const Values x = random_values(rows, heads * head_dim, 2.0, type, 13);
            DeviceMatrix device_x(backend(), type, x);
            backend().norm_rotate_heads(device_x.view(), head_dim, normed ? device_weight.vector() : nullptr, 1e-6F,
                                        rotated ? static_cast<const float*>(device_cos.view().data) : nullptr,
                                        rotated ? static_cast<const float*>(device_sin.view().data) : nullptr);
            Reference want = test::norm_rotate_heads(x, head_dim, normed ? &weight : nullptr, 1e-6F,
                                                     rotated ? &cos : nullptr, rotated ? &sin : nullptr);
            if (normed || rotated) want = stored(std::move(want), type);
            QCOMPARE(difference(device_x.values(), want), QString());
            QVERIFY(device_x.surroundings_untouched());
          }
        }
      }
    }
  }
}

void TestConformanceElementwise::add() {
  for (const DType type : kActivationTypes) {
    for (const DType out_type : kActivationTypes) {
      for (const int64_t width : kWidths) {
        const Values x = random_values(7, width, 1.0, type, 14);
        const Values old = random_values(7, width, 100.0, out_type, 15);
        const DeviceMatrix device_x(backend(), type, x, 2);
        DeviceMatrix out(backend(), out_type, old);
        backend().add(device_x.view(), out.view());
        Values want = old;
        for (size_t i = 0; i < want.data.size(); ++i) {
          want.data[i] = rounded(rounded(want.data[i] + x.data[i], DType::f32), out_type);
        }
        QCOMPARE(bit_difference(out.values(), want), QString());
        QVERIFY(out.surroundings_untouched());

        constexpr float kScale = -0.7F;
        out.fill(old);
        backend().add(device_x.view(), out.view(), kScale);
        Reference scaled{x, Values(7, width)};
        for (size_t i = 0; i < x.data.size(); ++i) {
          scaled.value.data[i] *= kScale;
          scaled.bound.data[i] = rounding_of(DType::f32) * std::fabs(scaled.value.data[i]);
        }
        QCOMPARE(difference(out.values(), stored(scaled, out_type, &old)), QString());
        QVERIFY(out.surroundings_untouched());
      }
    }
  }
}

void TestConformanceElementwise::copy() {
  for (const DType type : kActivationTypes) {
    for (const DType out_type : kActivationTypes) {
      for (const int64_t width : kWidths) {
        Values want = random_values(17, width, 10.0, type, 16);
        want.at(0, 0) = std::numeric_limits<double>::infinity();
        want.at(1, 0) = -0.0;
        want.at(2, 0) = rounded(0x1.01p0, type);  // f32: half-way between two numbers of bf16
        want.at(3, 0) = rounded(0x1.03p0, type);
        const DeviceMatrix device_x(backend(), type, want, 2);
        DeviceMatrix out(backend(), out_type, 17, width);
        backend().copy(device_x.view(), out.view());
        for (double& value : want.data) value = rounded(value, out_type);
        QCOMPARE(bit_difference(out.values(), want), QString());
        QVERIFY(out.surroundings_untouched());
      }
    }
  }
}

void TestConformanceElementwise::same_bits_for_any_rows_and_threads() {
  constexpr int kHeadDim = 72;
  constexpr int64_t kWidth = 8 * kHeadDim;
  for (const DType type : kActivationTypes) {
    const Values x = random_values(kMostRows, kWidth, 1.0, DType::f32, 17);
    const Values weight = random_values(1, kWidth, 1.0, DType::f32, 18);
    const Values bias = random_values(1, kWidth, 1.0, DType::f32, 19);
    Values cos;
    Values sin;
    rotation(kMostRows, kHeadDim / 2, cos, sin);

    // All three operations on the rows of every call in turn.
    const auto results = [&](const Cut& cut) {
      Backend& device = backend(cut.threads);
      const DeviceMatrix device_x(device, DType::f32, x);
      const DeviceWeight device_weight(device, DType::f32, weight);
      const DeviceWeight device_bias(device, DType::f32, bias);
      const DeviceMatrix device_cos(device, DType::f32, cos, 0);
      const DeviceMatrix device_sin(device, DType::f32, sin, 0);
      DeviceMatrix rms(device, type, kMostRows, kWidth);
      DeviceMatrix layer(device, type, kMostRows, kWidth);
      int64_t first = 0;
      for (const int64_t count : cut.row_counts) {
        const ConstMatrix rows = device_x.view().row_range(first, count);
        device.rms_norm(rows, device_weight.vector(), 1e-6F, rms.view().row_range(first, count));
        device.norm_rotate_heads(rms.view().row_range(first, count), kHeadDim, device_weight.vector(), 1e-6F,
                                 static_cast<const float*>(device_cos.view().row_range(first, count).data),
                                 static_cast<const float*>(device_sin.view().row_range(first, count).data));
        device.layer_norm(rows, device_weight.vector(), device_bias.vector(), 1e-6F,
                          layer.view().row_range(first, count));
        first += count;
      }
      return std::pair(rms.values(), layer.values());
    };
    const auto whole = results({1, {kMostRows}});
    for (const Cut& cut : row_cuts()) {
      const auto again = results(cut);
      QCOMPARE(bit_difference(again.first, whole.first), QString());
      QCOMPARE(bit_difference(again.second, whole.second), QString());
    }
  }
}

QTEST_APPLESS_MAIN(TestConformanceElementwise)
#include "tst_conformance_elementwise.moc"
