// Activations against double precision, finer than the conformance suite's bounds: the tails of gelu and silu keep
// their relative accuracy (gelu as far as -5.9, where it is 1e-8).
#include <cmath>
#include <vector>

#include <QtTest>

#include "engine/backend/cpu/epilogue.h"

using namespace poplens;

Q_DECLARE_METATYPE(Activation)

class TestEpilogue : public QObject {
  Q_OBJECT

 private slots:
  void activations_data();
  void activations();
  void far_values_data() { activations_data(); }
  void far_values();
};

namespace {

double wanted(double x, Activation activation) {
  switch (activation) {
    case Activation::none:
      return x;
    case Activation::silu:
      return x / (1 + std::exp(-x));
    case Activation::gelu_tanh:
      return x / (1 + std::exp(-2 * std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    case Activation::gelu_erf:
      return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
  }
  return 0;
}

std::vector<float> activated(const std::vector<float>& x, Activation activation) {
  const auto n = static_cast<int64_t>(x.size());
  std::vector<float> out(x.size());
  cpu::store_product(x.data(), n, nullptr, activation, false, {out.data(), DType::f32, 1, n, n});
  return out;
}

}  // namespace

void TestEpilogue::activations_data() {
  QTest::addColumn<Activation>("activation");
  QTest::newRow("none") << Activation::none;
  QTest::newRow("silu") << Activation::silu;
  QTest::newRow("gelu_tanh") << Activation::gelu_tanh;
  QTest::newRow("gelu_erf") << Activation::gelu_erf;
}

void TestEpilogue::activations() {
  QFETCH(Activation, activation);
  std::vector<float> x;
  for (int i = -59'000; i <= 60'000; ++i) x.push_back(static_cast<float>(i) / 10'000.0F);
  const std::vector<float> got = activated(x, activation);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double want = wanted(static_cast<double>(x[i]), activation);
    if (want == 0) continue;
    // The exponent's own rounding grows with its size: |x|^2 / 2 of gelu's tail in units of 2^-24.
    const double size = activation == Activation::silu ? std::abs(x[i]) : std::pow(static_cast<double>(x[i]), 2);
    worst = std::max(worst, std::abs(static_cast<double>(got[i]) - want) / std::abs(want) / (1 + size));
  }
  QVERIFY2(worst < 5e-7, qPrintable(QString::number(worst)));
}

void TestEpilogue::far_values() {
  QFETCH(Activation, activation);
  const std::vector<float> x = {0.0F, -0.0F, 1e-30F, -1e-30F, 40.0F, 1e4F, 1e30F, -40.0F, -1e4F, -1e30F};
  const std::vector<float> got = activated(x, activation);
  for (size_t i = 0; i < x.size(); ++i) {
    const double want = wanted(static_cast<double>(x[i]), activation);
    QVERIFY2(std::abs(static_cast<double>(got[i]) - want) <= 1e-6 * std::abs(want) + 1e-8,
             qPrintable(QString::number(x[i])));
  }
}

QTEST_APPLESS_MAIN(TestEpilogue)
#include "tst_epilogue.moc"
