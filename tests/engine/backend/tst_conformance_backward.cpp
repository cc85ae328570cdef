// The ways back of every backend's operations against double precision.
#include <algorithm>
#include <cmath>

#include <QtTest>

#include "tests/engine/backend/attention_masks.h"
#include "tests/engine/backend/conformance_test.h"
#include "tests/support/compare.h"
#include "tests/support/device_matrix.h"
#include "tests/support/reference_backward.h"

using namespace poplens;
using namespace poplens::test;

namespace {

constexpr int64_t kWidths[] = {1, 2, 7, 8, 9, 33, 64, 100, 640};
constexpr Activation kActivations[] = {Activation::silu, Activation::gelu_tanh};

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

Values f32_values(int64_t rows, int64_t cols, double scale, uint32_t seed) {
  return random_values(rows, cols, scale, DType::f32, seed);
}

// The operands of an attention and all that comes back, on a backend.
struct AttentionRun {
  Values q_grad, k_grad, v_grad;
  bool surroundings_untouched = false;
};

AttentionRun run_attention_backward(Backend& backend, const AttentionShape& shape, const Values& q, const Values& k,
                                    const Values& v, std::span<const KeyRange> ranges, const Values& grad) {
  const DeviceMatrix device_q(backend, DType::f32, q), device_k(backend, DType::f32, k);
  const DeviceMatrix device_v(backend, DType::f32, v), device_grad(backend, DType::f32, grad);
  const DeviceMatrix result(backend, DType::f32, q.rows, q.cols);
  backend.attention(shape, device_q.view(), device_k.view(), device_v.view(), ranges, result.view());
  const DeviceMatrix q_grad(backend, DType::f32, q.rows, q.cols);
  const DeviceMatrix k_grad(backend, DType::f32, k.rows, k.cols), v_grad(backend, DType::f32, k.rows, k.cols);
  backend.attention_backward(shape, device_q.view(), device_k.view(), device_v.view(), ranges, result.view(),
                             device_grad.view(), q_grad.view(), k_grad.view(), v_grad.view());
  const bool untouched =
      q_grad.surroundings_untouched() && k_grad.surroundings_untouched() && v_grad.surroundings_untouched();
  return {q_grad.values(), k_grad.values(), v_grad.values(), untouched};
}

}  // namespace

class TestConformanceBackward : public ConformanceTest {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY2(!backends_.names().empty(), "no backend runs on this machine"); }
  void gated_product_data() { each_backend(); }
  void gated_product();
  void activation_slopes_data() { each_backend(); }
  void activation_slopes();
  void rms_norm_data() { each_backend(); }
  void rms_norm();
  void norm_rotate_heads_data() { each_backend(); }
  void norm_rotate_heads();
  void row_dots_data() { each_backend(); }
  void row_dots();
  void attention_data() { each_backend(); }
  void attention();
  void attention_of_large_scores_data() { each_backend(); }
  void attention_of_large_scores();
  void same_bits_for_any_threads_data() { each_backend(); }
  void same_bits_for_any_threads();

 private:
  QString check_attention(const AttentionShape& shape, int rows, int keys, Mask mask, double size);
};

void TestConformanceBackward::gated_product() {
  for (const int64_t width : kWidths) {
    for (const Activation activation : kActivations) {
      const Values grad = f32_values(7, width, 1.0, 1), gate = f32_values(7, width, 2.0, 2);
      const Values up = f32_values(7, width, 1.5, 3);
      const DeviceMatrix device_grad(backend(), DType::f32, grad);
      DeviceMatrix device_gate(backend(), DType::f32, gate), device_up(backend(), DType::f32, up, 2);
      DeviceMatrix out(backend(), DType::f32, 7, width);
      backend().gated_product(device_gate.view(), device_up.view(), activation, out.view());
      Reference forward{Values(7, width), Values(7, width)};
      for (size_t i = 0; i < grad.data.size(); ++i) {
        forward.value.data[i] = activated(gate.data[i], activation) * up.data[i];
        forward.bound.data[i] = activation_bound(gate.data[i], 0, activation) * std::fabs(up.data[i]);
      }
      QCOMPARE(difference(out.values(), stored(forward, DType::f32)), QString());
      QVERIFY(out.surroundings_untouched());

      backend().gated_product_backward(device_grad.view(), activation, device_gate.view(), device_up.view());
      const GatedGradients want = gated_product_backward(grad, gate, up, activation);
      QCOMPARE(difference(device_gate.values(), stored(want.gate, DType::f32)), QString());
      QCOMPARE(difference(device_up.values(), stored(want.up, DType::f32)), QString());
      QVERIFY(device_gate.surroundings_untouched() && device_up.surroundings_untouched());
    }
  }
}

// grad = up = 1: the slope itself, far out too.
void TestConformanceBackward::activation_slopes() {
  std::vector<double> inputs;
  for (int step = -3000; step <= 3000; ++step) inputs.push_back(rounded(step * 0.005, DType::f32));
  for (const double size : {1e-30, 1e-5, 20.0, 86.9, 87.1, 89.5, 1e3, 1e10, 1e19, 1e30}) {
    inputs.push_back(rounded(size, DType::f32));
    inputs.push_back(rounded(-size, DType::f32));
  }
  Values gate(1, static_cast<int64_t>(inputs.size()));
  gate.data = inputs;
  const Values ones(1, gate.cols, 1.0);
  for (const Activation activation : kActivations) {
    const DeviceMatrix device_grad(backend(), DType::f32, ones);
    DeviceMatrix device_gate(backend(), DType::f32, gate), device_up(backend(), DType::f32, ones);
    backend().gated_product_backward(device_grad.view(), activation, device_gate.view(), device_up.view());
    Reference want{Values(1, gate.cols), Values(1, gate.cols)};
    for (size_t i = 0; i < inputs.size(); ++i) {
      const double x = inputs[i];
      // Beyond 40 the formula itself is 0 times infinity.
      want.value.data[i] = std::fabs(x) > 40 ? (x > 0 ? 1.0 : 0.0) : activation_slope(x, activation);
      want.bound.data[i] = 1.5e-6;
    }
    QCOMPARE(difference(device_gate.values(), want), QString());
  }
}

void TestConformanceBackward::rms_norm() {
  for (const int64_t width : kWidths) {
    for (const double size : {0.7, 4.0e3, 1.0e-3}) {
      for (const bool weighted : {true, false}) {
        const Values x = f32_values(5, width, size, 4), grad = f32_values(5, width, 1.0, 5);
        const Values weight = f32_values(1, width, 1.0, 6), old = f32_values(5, width, 1.0, 7);
        const DeviceWeight device_weight(backend(), DType::f32, weight);
        const float* used = weighted ? device_weight.vector() : nullptr;
        const DeviceMatrix device_x(backend(), DType::f32, x);
        DeviceMatrix device_grad(backend(), DType::f32, grad, 2), out(backend(), DType::f32, old);
        const Reference want = rms_norm_backward(x, weighted ? &weight : nullptr, 1e-6F, grad);
        backend().rms_norm_backward(device_x.view(), used, 1e-6F, device_grad.view(), out.view(), /*accumulate=*/true);
        QCOMPARE(difference(out.values(), stored(want, DType::f32, &old)), QString());
        QVERIFY(out.surroundings_untouched());
        backend().rms_norm_backward(device_x.view(), used, 1e-6F, device_grad.view(), device_grad.view());
        QCOMPARE(difference(device_grad.values(), stored(want, DType::f32)), QString());
        QVERIFY(device_grad.surroundings_untouched());
      }
    }
  }
}

void TestConformanceBackward::norm_rotate_heads() {
  for (const int head_dim : {2, 12, 24, 64, 72, 128, 256}) {
    constexpr int64_t kRows = 5;
    const int heads = 1 + head_dim % 5;
    Values cos;
    Values sin;
    rotation(kRows, head_dim / 2, cos, sin);
    const Values weight = f32_values(1, head_dim, 1.0, 8);
    const DeviceWeight device_weight(backend(), DType::f32, weight);
    const DeviceMatrix device_cos(backend(), DType::f32, cos, 0), device_sin(backend(), DType::f32, sin, 0);
    for (const bool normed : {true, false}) {
      for (const bool rotated : {true, false}) {
        const Values x = f32_values(kRows, heads * head_dim, 2.0, 9),
                     grad = f32_values(kRows, heads * head_dim, 1.0, 10);
        const DeviceMatrix device_x(backend(), DType::f32, x);
        DeviceMatrix device_grad(backend(), DType::f32, grad, 2);
        backend().norm_rotate_heads_backward(
            device_x.view(), head_dim, normed ? device_weight.vector() : nullptr, 1e-6F,
            rotated ? static_cast<const float*>(device_cos.view().data) : nullptr,
            rotated ? static_cast<const float*>(device_sin.view().data) : nullptr, device_grad.view());
        const Reference want = norm_rotate_heads_backward(x, head_dim, normed ? &weight : nullptr, 1e-6F,
                                                          rotated ? &cos : nullptr, rotated ? &sin : nullptr, grad);
        QCOMPARE(difference(device_grad.values(), stored(want, DType::f32)), QString());
        QVERIFY(device_grad.surroundings_untouched());
      }
    }
  }
}

void TestConformanceBackward::row_dots() {
  for (const int64_t width : kWidths) {
    const Values a = f32_values(33, width, 1.0, 11), b = f32_values(33, width, 2.0, 12);
    const DeviceMatrix device_a(backend(), DType::f32, a), device_b(backend(), DType::f32, b, 2);
    std::vector<float> out(33);
    backend().row_dots(device_a.view(), device_b.view(), out);
    Values got(33, 1);
    got.data.assign(out.begin(), out.end());
    Reference want{Values(33, 1), Values(33, 1)};
    for (int64_t i = 0; i < 33; ++i) {
      double size = 0;
      for (int64_t j = 0; j < width; ++j) {
        want.value.at(i, 0) += a.at(i, j) * b.at(i, j);
        size += std::fabs(a.at(i, j) * b.at(i, j));
      }
      want.bound.at(i, 0) = size * (4 + std::sqrt(static_cast<double>(width))) * 0x1p-24;
    }
    QCOMPARE(difference(got, want), QString());
  }
}

QString TestConformanceBackward::check_attention(const AttentionShape& shape, int rows, int keys, Mask mask,
                                                 double size) {
  const std::vector<KeyRange> ranges = ranges_of(mask, rows, keys);
  const Values q = f32_values(rows, shape.heads * shape.head_dim, size, 13);
  const Values k = f32_values(keys, shape.kv_heads * shape.head_dim, size, 14);
  const Values v = f32_values(keys, shape.kv_heads * shape.head_dim, 1.0, 15);
  const Values grad = f32_values(rows, shape.heads * shape.head_dim, 1.0, 16);
  const AttentionRun got = run_attention_backward(backend(), shape, q, k, v, ranges, grad);
  const AttentionGradients want = attention_backward(shape, q, k, v, ranges, grad);
  const QString label = QString("%1 rows, %2 keys, head width %3: ").arg(rows).arg(keys).arg(shape.head_dim);
  if (!got.surroundings_untouched) return label + "something was written outside";
  for (const auto& [name, values, reference] :
       {std::tuple("q", &got.q_grad, &want.q), std::tuple("k", &got.k_grad, &want.k),
        std::tuple("v", &got.v_grad, &want.v)}) {
    const QString wrong = difference(*values, stored(*reference, DType::f32));
    if (!wrong.isEmpty()) return label + name + ": " + wrong;
  }
  return {};
}

void TestConformanceBackward::attention() {
  for (const NamedMask& named : kMasks) {
    for (const auto& [rows, keys] : {std::pair(1, 1), std::pair(3, 40), std::pair(140, 170)}) {
      const QString wrong = check_attention(shape_of(4, 2, 24), rows, keys, named.mask, 1.5);
      QCOMPARE(named.name + wrong, QString(named.name));
    }
  }
  for (const AttentionShape& shape :
       {shape_of(1, 1, 4), shape_of(6, 2, 16), shape_of(2, 2, 72), shape_of(3, 1, 128), shape_of(4, 1, 256)}) {
    QCOMPARE(check_attention(shape, 45, 140, sliding_window, 1.0), QString());
  }
}

// Softmax all but one-hot, and exponentials that are nothing.
void TestConformanceBackward::attention_of_large_scores() {
  QCOMPARE(check_attention(shape_of(2, 1, 32), 40, 40, causal, 8.0), QString());
}

void TestConformanceBackward::same_bits_for_any_threads() {
  const AttentionShape shape = shape_of(6, 2, 40);
  const std::vector<KeyRange> ranges = ranges_of(pictures, 300, 300);
  const Values q = f32_values(300, 240, 1.0, 17), k = f32_values(300, 80, 1.0, 18), v = f32_values(300, 80, 1.0, 19);
  const Values grad = f32_values(300, 240, 1.0, 20);
  const AttentionRun one = run_attention_backward(backend(1), shape, q, k, v, ranges, grad);
  const AttentionRun three = run_attention_backward(backend(3), shape, q, k, v, ranges, grad);
  QCOMPARE(bit_difference(three.q_grad, one.q_grad), QString());
  QCOMPARE(bit_difference(three.k_grad, one.k_grad), QString());
  QCOMPARE(bit_difference(three.v_grad, one.v_grad), QString());
}

QTEST_APPLESS_MAIN(TestConformanceBackward)
#include "tst_conformance_backward.moc"
