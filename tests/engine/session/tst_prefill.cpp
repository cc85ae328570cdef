// What a prefill under a plan does: which rows each layer sees, and that nothing but the plan changes a bit.
#include <algorithm>

#include <QtTest>

#include "engine/session/prefill.h"
#include "tests/engine/session/random_decoder.h"

using namespace poplens;
using namespace poplens::test;

namespace {

constexpr int kLayers = 6;
constexpr int64_t kTokens = 100;
constexpr double kMostStackedNmse = 1e-12;
constexpr double kMostLaterNmse = 1e-9;
const std::vector<int64_t> kChunks{1024, 7, 64, 1};

Boundary last() {
  return {Boundary::Kind::last, 1};
}
Boundary count(int64_t tokens) {
  return {Boundary::Kind::count, tokens};
}
Boundary text() {
  return {Boundary::Kind::text, 1};
}

PopPlan plan_of(std::vector<int> layers, Boundary boundary) {
  return *PopPlan::of_layers(kLayers, std::move(layers), boundary);
}

QString rows_text(const std::vector<LayerRows>& layers) {
  QStringList parts;
  for (const LayerRows& rows : layers) parts << QString("%1+%2").arg(rows.full).arg(rows.kv_only);
  return parts.join(' ');
}

double nmse(const std::vector<float>& actual, const std::vector<float>& expected) {
  double error = 0.0;
  double power = 0.0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double delta = static_cast<double>(actual[i]) - expected[i];
    error += delta * delta;
    power += static_cast<double>(expected[i]) * expected[i];
  }
  return error / power;
}

bool same_bits(const PrefillResult& a, const PrefillResult& b) {
  return a.logits == b.logits && a.keys == b.keys && a.values == b.values;
}

}  // namespace

class PrefillTest : public QObject {
  Q_OBJECT

  std::shared_ptr<Decoder> f32_ = random_decoder({});
  std::shared_ptr<Decoder> bf16_ = random_decoder({.activations = DType::bf16});
  RandomPrompt text_ = random_prompt(*f32_, kTokens, {});
  RandomPrompt pictures_ = random_prompt(*f32_, kTokens, {{5, 20}, {31, 70}});

  // Plans that cut at every kind of place: suffixes into the DeepStack layers, sets that are none.
  static std::vector<PopPlan> all_plans() {
    std::vector<PopPlan> plans;
    for (const Boundary& boundary : {last(), text(), count(5), count(50), count(100)}) {
      for (const auto& layers : std::vector<std::vector<int>>{
               {5}, {4, 5}, {2, 3, 4, 5}, {1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}, {1, 3, 4}, {0, 2, 5}}) {
        plans.push_back(plan_of(layers, boundary));
      }
    }
    return plans;
  }

 private slots:
  void rows_data() {
    QTest::addColumn<QList<int>>("layers");
    QTest::addColumn<QString>("boundary");
    QTest::addColumn<bool>("with_pictures");
    QTest::addColumn<int>("outputs_from");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const QList<int>& layers, const char* boundary, bool pictures,
                        int outputs_from, const char* expected) {
      QTest::newRow(name) << layers << QString(boundary) << pictures << outputs_from << QString(expected);
    };
    row("full", {}, "last", false, -1, "100+0 100+0 100+0 100+0 100+0 1+99");
    row("full, all logits", {}, "last", false, 0, "100+0 100+0 100+0 100+0 100+0 100+0");
    row("depth 1", {5}, "last", false, -1, "100+0 100+0 100+0 100+0 100+0 1+99");
    row("depth 2", {4, 5}, "last", false, -1, "100+0 100+0 100+0 100+0 1+99 1+99");
    row("depth 2, boundary 5", {4, 5}, "5", false, -1, "100+0 100+0 100+0 100+0 5+95 1+99");
    row("depth 2, boundary 5, its logits", {4, 5}, "5", false, 95, "100+0 100+0 100+0 100+0 5+95 5+95");
    row("depth 2, boundary of all", {4, 5}, "200", false, -1, "100+0 100+0 100+0 100+0 100+0 1+99");
    row("every layer", {0, 1, 2, 3, 4, 5}, "last", false, -1, "1+99 1+99 1+99 1+99 1+99 1+99");
    row("no suffix", {1, 3}, "last", false, -1, "100+0 1+99 100+0 1+99 100+0 1+99");
    row("no suffix, boundary 5", {0, 3}, "5", false, -1, "5+95 100+0 100+0 5+95 100+0 1+99");
    row("text without a picture", {4, 5}, "text", false, -1, "100+0 100+0 100+0 100+0 1+99 1+99");
    row("text after pictures", {4, 5}, "text", true, -1, "100+0 100+0 100+0 100+0 30+70 1+99");
    row("a boundary that would cut a picture", {4, 5}, "35", true, -1, "100+0 100+0 100+0 100+0 69+31 1+99");
  }
  void rows() {
    QFETCH(QList<int>, layers);
    QFETCH(QString, boundary);
    QFETCH(bool, with_pictures);
    QFETCH(int, outputs_from);
    QFETCH(QString, expected);
    PrefillSetup setup{.plan = plan_of({layers.begin(), layers.end()}, *parse_boundary(boundary.toStdString())),
                       .outputs_from = outputs_from};
    for (const bool plain : {false, true}) {
      setup.plan.per_layer_kv = plain;
      setup.plan.separate_boundary = plain;
      for (const int64_t chunk : kChunks) {
        setup.chunk_tokens = chunk;
        const PrefillResult result = prefill(*f32_, with_pictures ? pictures_ : text_, setup);
        QCOMPARE(rows_text(result.outcome.trace.layers), expected);
      }
    }
  }

  void rows_of_what_is_new() {
    KvCache cache;
    prefill(*f32_, text_, {.plan = plan_of({4, 5}, last())}, &cache);
    const PrefillResult result = prefill(*f32_, text_, {.plan = plan_of({4, 5}, count(5))}, &cache, 90);
    QCOMPARE(rows_text(result.outcome.trace.layers), QString("10+0 10+0 10+0 10+0 5+5 1+9"));
    const PrefillResult one = prefill(*f32_, text_, {}, &cache, 99);
    QCOMPARE(rows_text(one.outcome.trace.layers), QString("1+0 1+0 1+0 1+0 1+0 1+0"));
  }

  void depth_0_is_the_full_prefill() {
    for (Decoder* decoder : {f32_.get(), bf16_.get()}) {
      const PrefillResult full = prefill(*decoder, pictures_, {});
      PopPlan none = *PopPlan::suffix(kLayers, 0, text());
      none.per_layer_kv = true;
      none.separate_boundary = true;
      for (const PopPlan& plan : {*PopPlan::suffix(kLayers, 0, last()), none}) {
        QVERIFY(same_bits(prefill(*decoder, pictures_, {.plan = plan}), full));
      }
      QVERIFY(full.outcome.boundary_ms == 0.0);
    }
  }

  // Nobody reads what the last layer puts out at prefill positions, and the whole prompt as boundary prunes nothing.
  void what_must_not_matter() {
    for (Decoder* decoder : {f32_.get(), bf16_.get()}) {
      const PrefillResult full = prefill(*decoder, pictures_, {});
      QVERIFY(same_bits(prefill(*decoder, pictures_, {.outputs_from = 0}), full));
      QVERIFY(same_bits(prefill(*decoder, pictures_, {.plan = plan_of({2, 3, 4, 5}, count(kTokens))}), full));
      PopPlan layer_by_layer = plan_of({5}, last());
      layer_by_layer.per_layer_kv = true;
      QVERIFY(same_bits(prefill(*decoder, pictures_, {.plan = layer_by_layer}), full));
    }
  }

  void chunks_change_no_bit() {
    for (Decoder* decoder : {f32_.get(), bf16_.get()}) {
      std::vector<PopPlan> plans = all_plans();
      plans.push_back({});
      for (const PopPlan& plan : plans) {
        const PrefillResult whole = prefill(*decoder, pictures_, {.plan = plan});
        for (const int64_t chunk : {int64_t{7}, int64_t{64}}) {
          QVERIFY(same_bits(prefill(*decoder, pictures_, {.plan = plan, .chunk_tokens = chunk}), whole));
        }
      }
    }
  }

  // Layers before the first pruned one cannot know of the plan: their keys and values are the same bits.
  void executed_layers_are_the_same_bits_under_every_plan() {
    for (Decoder* decoder : {f32_.get(), bf16_.get()}) {
      const PrefillResult full = prefill(*decoder, pictures_, {});
      for (const PopPlan& plan : all_plans()) {
        const PrefillResult pruned = prefill(*decoder, pictures_, {.plan = plan});
        for (size_t layer = 0; layer < static_cast<size_t>(plan.layers.front()); ++layer) {
          QVERIFY(pruned.keys[layer] == full.keys[layer]);
          QVERIFY(pruned.values[layer] == full.values[layer]);
        }
      }
    }
  }

  void pruning_changes_what_comes_after() {
    const PrefillResult full = prefill(*f32_, pictures_, {});
    for (const PopPlan& plan : {plan_of({4, 5}, last()), plan_of({1, 3}, last())}) {
      const PrefillResult pruned = prefill(*f32_, pictures_, {.plan = plan});
      QVERIFY(nmse(pruned.logits, full.logits) > 1e-4);
      QVERIFY(nmse(pruned.keys.back(), full.keys.back()) > 1e-4);
    }
  }

  void a_separate_boundary_is_the_same_bits() {
    for (Decoder* decoder : {f32_.get(), bf16_.get()}) {
      for (PopPlan plan : all_plans()) {
        const PrefillResult along = prefill(*decoder, pictures_, {.plan = plan});
        plan.separate_boundary = true;
        const PrefillResult separate = prefill(*decoder, pictures_, {.plan = plan});
        QVERIFY(same_bits(along, separate));
        QVERIFY(boundary_begin(plan.boundary, kTokens, pictures_.prompt.picture_spans()) == 0 ||
                separate.chunks.size() == 2);
      }
    }
  }

  // Folding the norms into the weights rounds otherwise: bounded where the layers read the same residual stream (up to
  // the end of the first run of pruned layers); later layers may make more of it.
  void stacked_keys_and_values_are_those_of_layer_by_layer() {
    double worst = 0.0;
    double worst_later = 0.0;
    for (PopPlan plan : all_plans()) {
      const PrefillResult stacked = prefill(*f32_, pictures_, {.plan = plan});
      plan.per_layer_kv = true;
      const PrefillResult plain = prefill(*f32_, pictures_, {.plan = plan});
      const int64_t pruned_rows = boundary_begin(plan.boundary, kTokens, pictures_.prompt.picture_spans());
      int run_end = plan.layers.front() + 1;
      while (plan.prunes(run_end)) ++run_end;
      for (int layer = 0; layer < kLayers; ++layer) {
        const auto index = static_cast<size_t>(layer);
        for (const auto& [a, b] : {std::pair(&stacked.keys[index], &plain.keys[index]),
                                   std::pair(&stacked.values[index], &plain.values[index])}) {
          const auto pruned = static_cast<int64_t>(a->size()) / kTokens * pruned_rows;
          if (pruned > 0 && layer < run_end) {
            worst = std::max(worst, nmse({a->begin(), a->begin() + pruned}, {b->begin(), b->begin() + pruned}));
          }
          worst_later = std::max(worst_later, nmse(*a, *b));
        }
      }
      worst_later = std::max(worst_later, nmse(stacked.logits, plain.logits));
    }
    qInfo("stacked against layer by layer, f32: NMSE at most %.2e, later %.2e", worst, worst_later);
    QVERIFY(worst > 0.0);
    QVERIFY(worst <= kMostStackedNmse);
    QVERIFY(worst_later <= kMostLaterNmse);
  }

  void going_on_from_a_cache_is_the_same_bits() {
    for (const PopPlan& plan : all_plans()) {
      const PrefillResult cold = prefill(*f32_, pictures_, {.plan = plan});
      KvCache cache;
      prefill(*f32_, pictures_, {.plan = plan}, &cache);
      for (const int64_t first : {int64_t{20}, int64_t{75}, int64_t{99}}) {
        QVERIFY(same_bits(prefill(*f32_, pictures_, {.plan = plan}, &cache, first), cold));
      }
    }
  }

  void progress_counts_every_layer_of_every_chunk() {
    const PrefillResult result = prefill(*f32_, text_, {.plan = plan_of({4, 5}, last()), .chunk_tokens = 30});
    QCOMPARE(result.layers_done.size(), size_t{4 * kLayers});
    for (size_t i = 0; i < result.layers_done.size(); ++i) QCOMPARE(result.layers_done[i], static_cast<int64_t>(i + 1));
    QCOMPARE(result.chunks, (std::vector<std::pair<int64_t, int64_t>>{{0, 30}, {30, 60}, {60, 90}, {90, 100}}));
    QCOMPARE(result.outcome.last_row, 9);
  }

  void the_boundary_is_told_once_before_the_first_pruned_layer() {
    for (const PopPlan& plan : all_plans()) {
      const PrefillResult result = prefill(*f32_, text_, {.plan = plan});
      QCOMPARE(result.boundary_told_after, std::vector<size_t>{static_cast<size_t>(plan.layers.front())});
    }
    QVERIFY(prefill(*f32_, text_, {}).boundary_told_after.empty());
    const PrefillResult chunked = prefill(*f32_, text_, {.plan = plan_of({0}, last()), .chunk_tokens = 40});
    QCOMPARE(chunked.boundary_told_after, std::vector<size_t>{2 * kLayers});
  }

  void the_boundary_takes_its_time_however_it_is_cut() {
    for (const bool separate : {false, true}) {
      for (const int64_t chunk : {1024, 7}) {
        PopPlan plan = plan_of({4, 5}, count(40));
        plan.separate_boundary = separate;
        // 40 of 100 rows through two of six layers; the median, since other programs run too.
        std::vector<double> shares;
        for (int i = 0; i < 15; ++i) {
          const PrefillSetup setup{.plan = plan, .chunk_tokens = chunk, .outputs_from = 60};
          const PrefillOutcome outcome = prefill(*f32_, text_, setup).outcome;
          shares.push_back(outcome.boundary_ms / (outcome.boundary_ms + outcome.prefill_ms));
        }
        std::nth_element(shares.begin(), shares.begin() + 7, shares.end());
        QVERIFY2(shares[7] > 0.03 && shares[7] < 0.8, qPrintable(QString::number(shares[7])));
      }
    }
  }

  void a_chunk_holds_at_least_one_position() {
    for (const int64_t chunk : {int64_t{0}, int64_t{-5}, INT64_MIN}) {
      QCOMPARE(prefill(*f32_, text_, {.chunk_tokens = chunk}).chunks.size(), size_t{kTokens});
    }
  }

  void a_chunk_does_not_cut_a_picture_that_sees_both_ways() {
    const auto decoder = random_decoder({.deepstack_layers = 0, .both_ways = true});
    const RandomPrompt prompt = random_prompt(*decoder, kTokens, {{5, 20}, {31, 70}});
    const PrefillResult whole = prefill(*decoder, prompt, {});
    const PrefillResult chunked = prefill(*decoder, prompt, {.chunk_tokens = 10});
    QCOMPARE(chunked.chunks,
             (std::vector<std::pair<int64_t, int64_t>>{{0, 20}, {20, 30}, {30, 70}, {70, 80}, {80, 90}, {90, 100}}));
    QVERIFY(largest_chunk(decoder->spec(), prompt.prompt, 0, 10) >= 40);
    QVERIFY(same_bits(chunked, whole));
    QVERIFY(whole.keys[1] != prefill(*random_decoder({.deepstack_layers = 0}), prompt, {}).keys[1]);
  }

  void a_stop_ends_after_the_layer_that_is_running() {
    for (int64_t stop_at = 1; stop_at < 3 * kLayers; ++stop_at) {
      KvCache cache;
      QVERIFY(cache.reserve(*f32_, kTokens, 0).ok());
      std::stop_source stop;
      int64_t layers_done = 0;
      int64_t tokens_done = 0;
      const PopPlan plan = plan_of({4, 5}, last());
      const PrefillJob job{.prompt = text_.prompt,
                           .plan = plan,
                           .outputs_from = kTokens - 1,
                           .chunk_tokens = 40,
                           .features = {},
                           .on_layer =
                               [&](int64_t done, int64_t total) {
                                 layers_done = done;
                                 if (done == stop_at) stop.request_stop();
                                 QCOMPARE(total, 3 * kLayers);
                               },
                           .on_boundary = {},
                           .after_chunk = [&](int64_t, int64_t end) { tokens_done = end; },
                           .stop = stop.get_token()};
      const auto outcome = run_prefill(*f32_, cache, job);
      QVERIFY(!outcome.ok());
      QVERIFY(outcome.error().cancelled);
      QCOMPARE(layers_done, stop_at);
      QCOMPARE(tokens_done, stop_at / kLayers * 40);
    }
  }
};

QTEST_APPLESS_MAIN(PrefillTest)
#include "tst_prefill.moc"
