// The few sums that reports are made of.
#include <cmath>

#include <QTest>

#include "engine/session/figures.h"

using namespace poplens;

class TestFigures : public QObject {
  Q_OBJECT

 private slots:
  void medians() {
    QCOMPARE(median({}), 0.0);
    QCOMPARE(median({3.0}), 3.0);
    QCOMPARE(median({9.0, 1.0, 2.0}), 2.0);
    QCOMPARE(median({4.0, 1.0, 2.0, 9.0}), 3.0);
  }

  void divergence_of_distributions() {
    // p = (0.5, 0.25, 0.25), q = (0.25, 0.5, 0.25): KL = 0.5 ln 2 - 0.25 ln 2. A constant added to logits is nothing.
    const std::vector<float> p{std::log(0.5F) + 7.0F, std::log(0.25F) + 7.0F, std::log(0.25F) + 7.0F};
    const std::vector<float> q{std::log(0.25F), std::log(0.5F), std::log(0.25F)};
    QVERIFY(std::abs(kl_divergence(p, q) - 0.25 * std::log(2.0)) < 1e-6);
    QCOMPARE(kl_divergence(p, p), 0.0);
    const std::vector<float> sure{1000.0F, 0.0F};
    const std::vector<float> even{0.0F, 0.0F};
    QVERIFY(std::abs(kl_divergence(sure, even) - std::log(2.0)) < 1e-9);
  }

  void divergence_of_answers() {
    const std::vector<int32_t> a{1, 2, 3};
    const std::vector<int32_t> b{1, 2, 4};
    const std::vector<int32_t> shorter{1, 2};
    QVERIFY(!first_divergence(a, a));
    QCOMPARE(*first_divergence(a, b), size_t{2});
    QCOMPARE(*first_divergence(a, shorter), size_t{2});
    QCOMPARE(*first_divergence(shorter, a), size_t{2});
    QCOMPARE(*first_divergence({}, a), size_t{0});
  }

  void likeliest() {
    const std::vector<float> logits{0.0F, 2.0F, 1.0F, 2.0F};
    const auto top = likeliest_tokens(logits, 3);
    QCOMPARE(top.size(), size_t{3});
    QCOMPARE(top[0].id, 1);
    QCOMPARE(top[1].id, 3);
    QCOMPARE(top[2].id, 2);
    const double norm = std::log(1.0 + std::exp(1.0) + 2.0 * std::exp(2.0));
    QVERIFY(std::abs(top[0].logprob - (2.0 - norm)) < 1e-12);
    QCOMPARE(likeliest_tokens(logits, 9).size(), size_t{4});
  }
};

QTEST_APPLESS_MAIN(TestFigures)
#include "tst_figures.moc"
