// Which tokens can be chosen and how likely they are: held against transformers' logits processors (golden values of
// tests/reference/sampler_goldens.py).
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <QtTest>
#include <nlohmann/json.hpp>

#include "engine/base/json_file.h"
#include "engine/session/sampler.h"

using namespace poplens;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct GoldenSampling {
  std::string label;
  Sampling sampling;
  std::vector<float> logits;
  std::vector<int32_t> context;
  std::vector<std::pair<int32_t, double>> kept;  // id and probability, the likeliest first
};

std::vector<GoldenSampling> read_goldens() {
  const auto file = read_json_file(std::filesystem::path(POPLENS_TEST_DATA) / "data/sampler.json");
  if (!file.ok()) qFatal("%s", file.error().message.c_str());
  std::vector<GoldenSampling> goldens;
  for (const auto& entry : file->value().at("cases")) {
    GoldenSampling golden{.label = entry.at("kind").get<std::string>() + " " + entry.at("sampling").dump()};
    const auto& sampling = entry.at("sampling");
    golden.sampling = {.temperature = sampling.at("temperature"),
                       .top_k = sampling.at("top_k"),
                       .top_p = sampling.at("top_p"),
                       .min_p = sampling.at("min_p"),
                       .repetition_penalty = sampling.at("repetition_penalty")};
    golden.logits = entry.at("logits").get<std::vector<float>>();
    golden.context = entry.at("context").get<std::vector<int32_t>>();
    for (size_t i = 0; i < entry.at("kept").size(); ++i) {
      golden.kept.emplace_back(entry.at("kept")[i], entry.at("probabilities")[i]);
    }
    std::stable_sort(golden.kept.begin(), golden.kept.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    goldens.push_back(std::move(golden));
  }
  return goldens;
}

int32_t greedy(std::vector<float> logits, int64_t vocab) {
  return Sampler({}, vocab).next(logits, {});
}

}  // namespace

class SamplerTest : public QObject {
  Q_OBJECT

  std::vector<GoldenSampling> goldens_ = read_goldens();

 private slots:
  void against_transformers_data() {
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < goldens_.size(); ++i) {
      QTest::addRow("%zu %s", i, goldens_[i].label.c_str()) << static_cast<int>(i);
    }
  }
  // Every draw is where the golden distribution, likeliest first, has the generator's number.
  void against_transformers() {
    QFETCH(int, index);
    const GoldenSampling& golden = goldens_[static_cast<size_t>(index)];
    constexpr int kDraws = 4000;
    constexpr double kUndecided = 1e-6;  // f32 against double
    Sampling sampling = golden.sampling;
    sampling.seed = 1234 + static_cast<uint64_t>(index);
    Sampler sampler(sampling, static_cast<int64_t>(golden.logits.size()));
    std::mt19937_64 random(sampling.seed);
    std::map<int32_t, int> drawn;
    for (int draw = 0; draw < kDraws; ++draw) {
      const double number = static_cast<double>(random() >> 11) * 0x1p-53;
      const int32_t id = sampler.next(golden.logits, golden.context);
      ++drawn[id];
      double below = 0.0;
      auto expected = golden.kept.begin();
      while (expected + 1 != golden.kept.end() && below + expected->second <= number) {
        below += expected->second;
        ++expected;
      }
      const bool decided = number - below > kUndecided && below + expected->second - number > kUndecided;
      if (decided) QCOMPARE(id, expected->first);
    }
    for (const auto& [id, count] : drawn) {
      const auto found = std::find_if(golden.kept.begin(), golden.kept.end(),
                                      [wanted = id](const auto& kept) { return kept.first == wanted; });
      QVERIFY2(found != golden.kept.end(), qPrintable(QString("token %1 does not survive").arg(id)));
    }
    for (const auto& [id, probability] : golden.kept) {
      if (probability > 0.005) QVERIFY2(drawn.count(id) > 0, qPrintable(QString("token %1 never came").arg(id)));
    }
  }

  void the_same_seed_gives_the_same_tokens() {
    const GoldenSampling& golden = goldens_.front();
    const auto tokens_of = [&](uint64_t seed) {
      Sampling sampling{.temperature = 2.0};
      sampling.seed = seed;
      Sampler sampler(sampling, static_cast<int64_t>(golden.logits.size()));
      std::vector<int32_t> tokens;
      tokens.reserve(64);
      for (int i = 0; i < 64; ++i) tokens.push_back(sampler.next(golden.logits, tokens));
      return tokens;
    };
    QCOMPARE(tokens_of(3), tokens_of(3));
    QVERIFY(tokens_of(3) != tokens_of(4));
    QVERIFY(tokens_of(0) != tokens_of(1));
  }

  void greedy_takes_the_best_and_of_equals_the_first() {
    QCOMPARE(greedy({1.0F, 3.0F, 2.0F}, 3), 1);
    QCOMPARE(greedy({1.0F, 3.0F, 3.0F, 3.0F}, 4), 1);
    QCOMPARE(greedy({-2.0F, -2.0F}, 2), 0);
    QCOMPARE(greedy({-0.0F, 0.0F}, 2), 0);
  }

  void greedy_minds_the_repetition_penalty() {
    const std::vector<float> logits{2.0F, 3.0F, -1.0F};
    const std::vector<int32_t> context{1, 1, 1, 2, -5, 3, 1'000'000};
    Sampler sampler({.repetition_penalty = 1.6}, 3);  // once, however often it stands there: 3 / 1.6 < 2
    QCOMPARE(sampler.next(logits, context), 0);
    QCOMPARE(Sampler({.repetition_penalty = 1.4}, 3).next(logits, context), 1);
    const std::vector<float> negative{-1.0F, -1.2F};
    QCOMPARE(Sampler({.repetition_penalty = 1.5}, 2).next(negative, std::vector<int32_t>{0}), 1);
  }

  void a_negative_temperature_is_greedy() {
    const std::vector<float> logits{1.0F, 5.0F, 4.9F};
    Sampler sampler({.temperature = -1.0, .seed = 8}, 3);
    for (int i = 0; i < 50; ++i) QCOMPARE(sampler.next(logits, {}), 1);
  }

  void a_tiny_temperature_is_as_good_as_greedy() {
    const std::vector<float> logits{1000.0F, 1001.0F, -3e38F};
    for (const double temperature : {1e-3, 1e-30, 1e-300, std::numeric_limits<double>::denorm_min()}) {
      Sampler sampler({.temperature = temperature, .top_k = 2, .top_p = 0.9, .min_p = 0.1}, 3);
      for (int i = 0; i < 20; ++i) QCOMPARE(sampler.next(logits, {}), 1);
    }
  }

  // Rows of the embedding that the tokenizer does not use may hold anything.
  void ids_past_the_vocabulary_are_never_chosen() {
    std::vector<float> logits(64, 0.0F);
    for (size_t i = 40; i < logits.size(); ++i) logits[i] = 1000.0F;
    QCOMPARE(greedy(logits, 40), 0);
    Sampler sampler({.temperature = 5.0, .repetition_penalty = 1.1}, 40);
    std::vector<int32_t> context{45, 63, 64};
    for (int i = 0; i < 2000; ++i) {
      const int32_t id = sampler.next(logits, context);
      QVERIFY(id >= 0 && id < 40);
      context.push_back(id);
    }
    QCOMPARE(greedy({0.0F, 1.0F}, 1'000'000), 1);  // fewer logits than promised
  }

  void broken_logits_data() {
    QTest::addColumn<QList<float>>("logits");
    QTest::addColumn<QList<int>>("possible");
    QTest::newRow("NaN among others") << QList<float>{kNan, 1.0F, kNan, 0.5F} << QList<int>{1, 3};
    QTest::newRow("all NaN") << QList<float>(64, kNan) << QList<int>{};
    QTest::newRow("all -inf") << QList<float>(64, -kInfinity) << QList<int>{};
    QTest::newRow("all +inf") << QList<float>(64, kInfinity) << QList<int>{};
    QTest::newRow("one +inf") << QList<float>{0.0F, kInfinity, 1.0F} << QList<int>{1};
    QTest::newRow("-inf is impossible") << QList<float>{-kInfinity, 0.0F, -kInfinity, 0.0F} << QList<int>{1, 3};
    QTest::newRow("NaN, inf and numbers") << QList<float>{kNan, -kInfinity, 2.0F, kInfinity, kNan} << QList<int>{3};
    QList<float> mixed;
    for (int i = 0; i < 200; ++i) mixed << (i % 3 == 0 ? kNan : i % 3 == 1 ? static_cast<float>(i) : -kInfinity);
    QTest::newRow("many NaN") << mixed << QList<int>{};
  }
  void broken_logits() {
    QFETCH(QList<float>, logits);
    QFETCH(QList<int>, possible);
    const std::vector<Sampling> settings{
        {},
        {.repetition_penalty = 1.2},
        {.temperature = 1.0},
        {.temperature = 0.7, .top_k = 20, .top_p = 0.8, .min_p = 0.05, .repetition_penalty = 1.3},
        {.temperature = 1.0, .top_k = 1},
        {.temperature = 1e-200, .top_p = 0.5},
        {.temperature = 1.0, .repetition_penalty = 0.0},
        {.temperature = 1.0, .repetition_penalty = -3.0},
        {.temperature = 1.0, .top_k = -4, .top_p = -1.0, .min_p = 7.0},
    };
    const std::vector<int32_t> context{0, 1, 2, 2};
    for (const Sampling& sampling : settings) {
      Sampler sampler(sampling, logits.size());
      for (int i = 0; i < 100; ++i) {
        const int32_t id = sampler.next(std::span(logits.constData(), static_cast<size_t>(logits.size())), context);
        QVERIFY(id >= 0 && id < logits.size());
        if (!possible.empty() && sampling.repetition_penalty >= 1.0) QVERIFY(possible.contains(id));
      }
    }
  }
};

QTEST_APPLESS_MAIN(SamplerTest)
#include "tst_sampler.moc"
