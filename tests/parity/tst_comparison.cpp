// Answers under several plans, in turn: what is run, in which order, and what of it comes from a cache.
#include <QtTest>

#include "engine/session/comparison.h"
#include "tests/parity/session_harness.h"

using namespace poplens;
using namespace poplens::test;

namespace {

struct Recorded {
  size_t side = 0;
  int run = 0;
  bool operator==(const Recorded&) const = default;
};

}  // namespace

class ComparisonTest : public QObject {
  Q_OBJECT

  LoadedModel model_ = open_ended_checkpoint("tiny-untied");
  Picture picture_ = drawn_picture(120, 88, 1);
  GenerateRequest request_{.prompt = picture_question(picture_, "What is this?"), .max_tokens = 8};
  std::vector<PopPlan> plans_{PopPlan{}, suffix_plan(model_, 3, {Boundary::Kind::text, 1})};

  // Every run once, in the order in which it encoded its picture.
  std::vector<Recorded> encodings_;
  ComparisonSink sink() {
    return [this](const ComparisonStep& step, const Event& event) {
      const auto* started = std::get_if<StageStarted>(&event.what);
      if (started != nullptr && started->stage == Stage::vision) encodings_.push_back({step.side, step.run});
    };
  }

 private slots:
  void init() { encodings_.clear(); }

  void alternates_and_takes_nothing_from_a_cache() {
    Session session = make_session(model_);
    QVERIFY(session.generate(request_).ok());
    const auto sides = run_comparison(session, request_, plans_, {.runs = 3}, sink(), {});
    QVERIFY(sides.ok());
    const std::vector<Recorded> order{{0, -1}, {1, -1}, {0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 2}, {1, 2}};
    QCOMPARE(encodings_.size(), order.size());
    QVERIFY(encodings_ == order);
    for (const ComparedSide& side : *sides) {
      QCOMPARE(side.runs.size(), size_t{3});
      QCOMPARE(side.answer.reused_tokens, int64_t{0});
      QCOMPARE(side.answer.reused_pictures, int64_t{0});
      QCOMPARE(side.answer.computed.first, int64_t{0});
      QCOMPARE(side.answer.computed.picture_tokens, std::vector<int64_t>{side.answer.image_tokens});
      for (const ComparedRun& run : side.runs) QVERIFY(run.stages.vision_ms > 0.0 && run.stages.prefill_ms > 0.0);
    }
    QCOMPARE((*sides)[0].answer.plan.layers.size(), size_t{0});
    QCOMPARE((*sides)[1].answer.plan.layers.size(), size_t{3});
  }

  void answers_are_those_of_single_questions() {
    Session session = make_session(model_);
    const auto sides = run_comparison(session, request_, plans_, {.runs = 1}, {}, {});
    QVERIFY(sides.ok());
    for (size_t i = 0; i < plans_.size(); ++i) {
      GenerateRequest alone = request_;
      alone.plan = plans_[i];
      Session fresh = make_session(model_);
      QCOMPARE((*sides)[i].answer.tokens, fresh.generate(alone)->tokens);
    }
  }

  void shares_features_only_where_asked() {
    Session session = make_session(model_);
    const auto sides = run_comparison(session, request_, plans_, {.runs = 2, .share_features = true}, sink(), {});
    QVERIFY(sides.ok());
    QCOMPARE(encodings_.size(), size_t{1});
    for (const ComparedSide& side : *sides) {
      QCOMPARE(side.answer.reused_tokens, int64_t{0});
      QCOMPARE(side.answer.stages.vision_ms, 0.0);
      QVERIFY(side.answer.computed.picture_tokens.empty());
      QVERIFY(side.answer.stages.prefill_ms > 0.0);
    }
  }

  void medians_and_ratios() {
    const auto run = [](double prefill, double boundary) {
      return ComparedRun{2.0 * (prefill + boundary), {.prefill_ms = prefill, .boundary_ms = boundary}};
    };
    ComparedSide full{.runs = {run(10.0, 0.0), run(40.0, 0.0), run(30.0, 0.0)}};
    ComparedSide pop{.runs = {run(4.0, 1.0), run(9.0, 1.0), run(9.0, 1.0)}};
    full.answer.tokens = {1, 2, 3, 4, 5};
    pop.answer.tokens = {1, 2, 9};
    full.answer.first_logits = {0.0F, 0.0F};
    pop.answer.first_logits = {0.0F, 0.0F};
    const auto difference = difference_of(full, pop);
    // Runs are paired: 10 / 5, 40 / 10, 30 / 10.
    QCOMPARE(difference.prefill_ratio, 3.0);
    QCOMPARE(difference.ttft_ratio, 3.0);
    QCOMPARE(*difference.divergence, size_t{2});
    QCOMPARE(difference.agreement, 2.0 / 5.0);
    QCOMPARE(difference.first_token_kl, 0.0);
    pop.answer.tokens = full.answer.tokens;
    QVERIFY(!difference_of(full, pop).divergence);
    QCOMPARE(difference_of(full, pop).agreement, 1.0);
  }

  void stops() {
    Session session = make_session(model_);
    std::stop_source stop;
    const auto on_event = [&](const ComparisonStep& step, const Event&) {
      if (step.side == 1) stop.request_stop();
    };
    const auto sides = run_comparison(session, request_, plans_, {}, on_event, stop.get_token());
    QVERIFY(!sides.ok());
    QVERIFY(sides.error().cancelled);
  }
};

QTEST_APPLESS_MAIN(ComparisonTest)
#include "tst_comparison.moc"
