// Which positions a new prompt takes over: the rules one by one, then random conversations against a naive model that
// remembers for every position what it holds and how it was computed.
#include <numeric>
#include <random>

#include <QtTest>

#include "engine/session/prefix_cache.h"

using namespace poplens;

namespace {

constexpr int32_t kPad = 7;
const PopPlan kFull;
const PopPlan kDeep{.layers = {6, 7}, .boundary = {Boundary::Kind::last, 1}};
const PopPlan kDeeper{.layers = {4, 5, 6, 7}, .boundary = {Boundary::Kind::last, 1}};

struct Asked {
  Prompt prompt;
  std::vector<uint64_t> keys;

  Asked& text(std::vector<int32_t> ids) {
    prompt.ids.insert(prompt.ids.end(), ids.begin(), ids.end());
    return *this;
  }
  Asked& picture(int64_t tokens, uint64_t key) {
    prompt.pictures.push_back({{prompt.tokens(), prompt.tokens() + tokens}, {}});
    prompt.ids.insert(prompt.ids.end(), static_cast<size_t>(tokens), kPad);
    keys.push_back(key);
    return *this;
  }
  int64_t begin(const PopPlan& plan) const {
    return boundary_begin(plan.boundary, prompt.tokens(), prompt.picture_spans());
  }
};

std::vector<int32_t> counting(int32_t first, int32_t count) {
  std::vector<int32_t> ids(static_cast<size_t>(count));
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}

int64_t reusable(const PrefixCache& cache, const Asked& asked, const PopPlan& plan) {
  return cache.reusable(asked.prompt, asked.keys, plan, asked.begin(plan));
}

// As a session does it: takes over, truncates, computes the prompt in chunks, then the answer.
int64_t ask(PrefixCache& cache, const Asked& asked, const PopPlan& plan, const std::vector<int32_t>& answer = {},
            int64_t chunk = 1000, int64_t stop_after = INT64_MAX) {
  const int64_t reused = reusable(cache, asked, plan);
  cache.truncate(reused);
  for (int64_t begin = reused; begin < std::min(asked.prompt.tokens(), stop_after);) {
    begin = std::min(begin + chunk, asked.prompt.tokens());
    cache.append_prompt(asked.prompt, asked.keys, begin, plan, asked.begin(plan));
  }
  for (const int32_t id : answer) cache.append_answer(id);
  return reused;
}

Asked first_question() {
  return Asked().text(counting(100, 80));
}
const std::vector<int32_t> kAnswer = counting(500, 10);

Asked second_question() {
  return first_question().text(kAnswer).text(counting(200, 60));
}

}  // namespace

class PrefixCacheTest : public QObject {
  Q_OBJECT

 private slots:
  void nothing_to_take_over_at_first() {
    const PrefixCache cache;
    QCOMPARE(reusable(cache, first_question(), kFull), 0);
    QCOMPARE(reusable(cache, first_question(), kDeep), 0);
    QCOMPARE(reusable(cache, Asked().text({1}), kFull), 0);
  }

  void the_same_prompt_computes_its_last_position_again() {
    for (const PopPlan& plan : {kFull, kDeep}) {
      PrefixCache cache;
      ask(cache, first_question(), plan, kAnswer);
      QCOMPARE(reusable(cache, first_question(), plan), 79);
    }
  }

  void another_plan_takes_over_nothing_that_it_would_compute_otherwise() {
    PopPlan layer_by_layer = kDeep;
    layer_by_layer.per_layer_kv = true;
    const std::vector<PopPlan> plans{kFull, kDeep, kDeeper, layer_by_layer};
    for (const PopPlan& before : plans) {
      for (const PopPlan& now : plans) {
        PrefixCache cache;
        ask(cache, first_question(), before, kAnswer);
        QCOMPARE(reusable(cache, first_question(), now), before == now ? 79 : 0);
      }
    }
  }

  // Whether the boundary rides along changes no bit.
  void a_separate_boundary_is_no_other_plan() {
    PrefixCache cache;
    ask(cache, first_question(), kDeep, kAnswer);
    PopPlan separate = kDeep;
    separate.separate_boundary = true;
    QCOMPARE(reusable(cache, first_question(), separate), 79);
  }

  void a_moved_boundary_takes_over_up_to_where_they_differ() {
    PopPlan wide = kDeep;
    wide.boundary = {Boundary::Kind::count, 30};
    PrefixCache cache;
    ask(cache, first_question(), wide, kAnswer);  // [0, 50) pruned, [50, 80) full
    QCOMPARE(reusable(cache, first_question(), kDeep), 50);
    PopPlan wider = kDeep;
    wider.boundary = {Boundary::Kind::count, 60};
    QCOMPARE(reusable(cache, first_question(), wider), 20);
    PopPlan whole = kDeep;
    whole.boundary = {Boundary::Kind::count, 80};
    QCOMPARE(reusable(cache, first_question(), whole), 0);
    QCOMPARE(reusable(cache, first_question(), kFull), 0);
    PrefixCache full;
    ask(full, first_question(), kFull, kAnswer);
    QCOMPARE(reusable(full, first_question(), whole), 79);
  }

  void a_new_turn_keeps_everything_whatever_the_plan() {
    for (const PopPlan& before : {kFull, kDeep}) {
      for (const PopPlan& now : {kFull, kDeep, kDeeper}) {
        PrefixCache cache;
        ask(cache, first_question(), before, kAnswer);
        QCOMPARE(reusable(cache, second_question(), now), 90);
      }
    }
  }

  void a_turn_asked_again_keeps_the_turns_before_it() {
    PrefixCache cache;
    ask(cache, first_question(), kDeep, kAnswer);
    ask(cache, second_question(), kDeep, counting(600, 20));
    QCOMPARE(reusable(cache, second_question(), kDeep), 149);
    QCOMPARE(reusable(cache, second_question(), kDeeper), 90);
    QCOMPARE(reusable(cache, second_question(), kFull), 90);
    ask(cache, second_question(), kFull, counting(600, 20));
    QCOMPARE(reusable(cache, second_question(), kFull), 149);
    QCOMPARE(reusable(cache, second_question(), kDeep), 90);
  }

  void an_edited_question_keeps_what_stands_before_the_edit() {
    const auto edited = [] { return Asked().text(counting(100, 40)).text(counting(300, 50)); };
    PrefixCache full;
    ask(full, first_question(), kFull, kAnswer);
    QCOMPARE(reusable(full, edited(), kFull), 40);
    QCOMPARE(reusable(full, edited(), kDeep), 0);
    PrefixCache pruned;
    ask(pruned, first_question(), kDeep, kAnswer);
    QCOMPARE(reusable(pruned, edited(), kDeep), 40);
    QCOMPARE(reusable(pruned, edited(), kFull), 0);
  }

  void an_edited_second_question_keeps_the_first_turn() {
    PrefixCache cache;
    ask(cache, first_question(), kDeep, kAnswer);
    ask(cache, second_question(), kDeep, counting(600, 20));
    const auto edited = first_question().text(kAnswer).text(counting(200, 30)).text(counting(900, 9));
    QCOMPARE(reusable(cache, edited, kDeep), 120);
    QCOMPARE(reusable(cache, edited, kFull), 90);
  }

  void back_to_the_first_question_after_a_second() {
    PrefixCache cache;
    ask(cache, first_question(), kDeep, kAnswer);
    ask(cache, second_question(), kFull, counting(600, 20));
    QCOMPARE(reusable(cache, first_question(), kDeep), 79);
    QCOMPARE(reusable(cache, first_question(), kFull), 0);
    // Going on from another answer to the first question.
    const auto branch = first_question().text(counting(500, 4)).text(counting(700, 30));
    QCOMPARE(ask(cache, branch, kDeeper, counting(800, 5)), 84);
    QCOMPARE(reusable(cache, branch, kDeeper), 113);
    QCOMPARE(reusable(cache, branch, kFull), 84);
  }

  void a_stop_keeps_the_chunks_that_were_done() {
    PrefixCache cache;
    ask(cache, first_question(), kDeep, {}, 25, 50);
    QCOMPARE(cache.tokens(), 50);
    QCOMPARE(reusable(cache, first_question(), kDeep), 50);
    QCOMPARE(reusable(cache, first_question(), kFull), 0);
    QCOMPARE(ask(cache, first_question(), kDeep, kAnswer), 50);
    QCOMPARE(reusable(cache, first_question(), kDeep), 79);
    ask(cache, second_question(), kFull, {}, 25, 91);
    QCOMPARE(cache.tokens(), 115);
    QCOMPARE(reusable(cache, second_question(), kFull), 115);
    QCOMPARE(reusable(cache, second_question(), kDeeper), 90);
  }

  void pictures_are_told_apart_by_their_content() {
    const auto with = [](uint64_t key) {
      return Asked().text(counting(100, 10)).picture(30, key).text(counting(50, 5));
    };
    PrefixCache cache;
    ask(cache, with(1), kFull, kAnswer);
    QCOMPARE(reusable(cache, with(1), kFull), 44);
    QCOMPARE(reusable(cache, with(2), kFull), 10);
  }

  void a_picture_of_another_size_is_another_picture() {
    PrefixCache cache;
    ask(cache, Asked().text(counting(100, 10)).picture(30, 1).text({1, 2, 3}), kFull, kAnswer);
    QCOMPARE(reusable(cache, Asked().text(counting(100, 10)).picture(29, 1).text({1, 2, 3}), kFull), 10);
    QCOMPARE(reusable(cache, Asked().text(counting(100, 10)).picture(31, 1).text({1, 2, 3}), kFull), 10);
  }

  void the_second_picture_differs() {
    const auto with = [](uint64_t second) {
      return Asked().text({1, 2}).picture(5, 11).text({3}).picture(6, second).text({4, 5});
    };
    PrefixCache cache;
    ask(cache, with(22), kFull, kAnswer);
    QCOMPARE(reusable(cache, with(22), kFull), 15);
    QCOMPARE(reusable(cache, with(23), kFull), 8);
    QCOMPARE(reusable(cache, Asked().text({1, 2}).picture(5, 11).text({3}), kFull), 7);
    QCOMPARE(reusable(cache, Asked().text({1, 2}).picture(5, 11).text({3, 4}), kFull), 8);
    QCOMPARE(reusable(cache, Asked().text({1, 2}).text({3}), kFull), 2);
  }

  void pictures_in_another_order() {
    const auto with = [](uint64_t a, uint64_t b) { return Asked().picture(5, a).picture(5, b).text({4, 5}); };
    PrefixCache cache;
    ask(cache, with(1, 2), kFull, kAnswer);
    QCOMPARE(reusable(cache, with(2, 1), kFull), 0);
    QCOMPARE(reusable(cache, with(1, 1), kFull), 5);
  }

  void no_picture_is_cut() {
    // The last position is a picture's: it has to be computed again, and with it the whole picture.
    PrefixCache cache;
    const Asked asked = Asked().text({1, 2, 3}).picture(20, 9);
    ask(cache, asked, kFull, kAnswer);
    QCOMPARE(reusable(cache, asked, kFull), 3);
    // A stop in the middle of a picture.
    PrefixCache stopped;
    const Asked longer = Asked().text({1, 2, 3}).picture(20, 9).text({4});
    ask(stopped, longer, kFull, {}, 8, 8);
    QCOMPARE(stopped.tokens(), 8);
    QCOMPARE(reusable(stopped, longer, kFull), 3);
    QCOMPARE(ask(stopped, longer, kFull), 3);
    QCOMPARE(reusable(stopped, longer, kFull), 23);
  }

  void forgetting() {
    PrefixCache cache;
    ask(cache, Asked().text({1, 2}).picture(5, 1).text({3, 4}), kDeep, kAnswer);
    cache.truncate(0);
    QCOMPARE(cache.tokens(), 0);
    QCOMPARE(reusable(cache, Asked().text({1, 2}).picture(5, 1).text({3, 4}), kDeep), 0);
    QCOMPARE(ask(cache, first_question(), kFull), 0);
    QCOMPARE(reusable(cache, first_question(), kFull), 79);
  }

  void random_conversations();
};

namespace {

// What one position of the cache holds, and what it would hold for a prompt under a plan.
struct Row {
  int32_t id = 0;
  uint64_t picture = 0;  // key, size and place in the picture, 0 for text
  bool pruned = false;
  PopPlan plan;  // only where pruned

  bool same_token(const Row& other) const { return id == other.id && picture == other.picture; }
  bool same_values(const Row& other) const {
    return same_token(other) && pruned == other.pruned &&
           (!pruned || (plan.layers == other.plan.layers && plan.per_layer_kv == other.plan.per_layer_kv));
  }
};

std::vector<Row> rows_of(const Asked& asked, const PopPlan& plan) {
  std::vector<Row> rows;
  for (const int32_t id : asked.prompt.ids) rows.push_back({.id = id});
  for (size_t i = 0; i < asked.keys.size(); ++i) {
    const TokenSpan& span = asked.prompt.pictures[i].tokens;
    for (int64_t t = span.begin; t < span.end; ++t) {
      rows[static_cast<size_t>(t)].picture = asked.keys[i] * 10'000 +
                                             static_cast<uint64_t>(span.end - span.begin) * 100 +
                                             static_cast<uint64_t>(t - span.begin) + 1;
    }
  }
  for (int64_t t = 0; t < asked.begin(plan) && !plan.empty(); ++t) {
    rows[static_cast<size_t>(t)].pruned = true;
    rows[static_cast<size_t>(t)].plan = plan;
  }
  return rows;
}

struct NaiveCache {
  std::vector<Row> rows;
  std::vector<std::pair<int64_t, int64_t>> turns;  // begin, end of the prompt

  int64_t reusable(const Asked& asked, const PopPlan& plan) const {
    const std::vector<Row> wanted = rows_of(asked, plan);
    const int64_t most = asked.prompt.tokens() - 1;
    int64_t common = 0;
    const auto at = [](const std::vector<Row>& all, int64_t i) -> const Row& { return all[static_cast<size_t>(i)]; };
    const auto held = static_cast<int64_t>(rows.size());
    while (common < std::min(most, held) && at(rows, common).same_token(at(wanted, common))) ++common;
    common = before_cut_picture(asked, common, held);
    std::pair<int64_t, int64_t> turn{0, 0};
    for (const auto& candidate : turns) {
      if (candidate.first <= common) turn = candidate;
    }
    if (common <= turn.second) {
      int64_t alike = turn.first;
      while (alike < common && at(rows, alike).same_values(at(wanted, alike))) ++alike;
      common = alike;
    }
    return before_cut_picture(asked, common, held);
  }
  static int64_t before_cut_picture(const Asked& asked, int64_t position, int64_t held) {
    for (const PromptPicture& picture : asked.prompt.pictures) {
      const bool cut = picture.tokens.begin < position && position < picture.tokens.end;
      if (cut || (picture.tokens.begin < position && picture.tokens.end > held)) return picture.tokens.begin;
    }
    return position;
  }
  void keep(int64_t tokens) {
    rows.resize(static_cast<size_t>(tokens));
    std::erase_if(turns, [&](const auto& turn) { return turn.first > tokens; });
  }
};

}  // namespace

void PrefixCacheTest::random_conversations() {
  std::mt19937 random(11);
  const auto below = [&](size_t n) { return static_cast<int64_t>(random() % n); };
  const auto random_text = [&](int64_t longest) {
    std::vector<int32_t> ids(static_cast<size_t>(below(static_cast<size_t>(longest)) + 1));
    for (int32_t& id : ids) id = static_cast<int32_t>(10 + below(2));
    return ids;
  };
  const auto random_plan = [&] {
    PopPlan plan;
    if (below(3) > 0) plan.layers = below(2) == 0 ? std::vector<int>{6, 7} : std::vector<int>{2, 7};
    plan.per_layer_kv = below(6) == 0;
    plan.boundary = {static_cast<Boundary::Kind>(below(3)), below(12) + 1};
    return plan;
  };
  const auto extend = [&](Asked& asked) {
    asked.text(random_text(6));
    if (below(3) == 0) asked.picture(below(6) + 1, static_cast<uint64_t>(below(2) + 1));
    if (below(4) > 0) asked.text(random_text(4));
  };

  int64_t taken_over = 0;
  for (int round = 0; round < 400; ++round) {
    PrefixCache cache;
    NaiveCache naive;
    std::vector<Asked> history{Asked()};
    for (int turn = 0; turn < 12; ++turn) {
      // On from an earlier state, the same again, or something new.
      Asked asked = history[static_cast<size_t>(below(history.size()))];
      if (asked.prompt.ids.empty() || below(3) > 0) extend(asked);
      const PopPlan plan = random_plan();
      const int64_t expected = naive.reusable(asked, plan);
      QCOMPARE(reusable(cache, asked, plan), expected);
      taken_over += expected;

      const int64_t chunk = below(7) + 1;
      const int64_t stop_after = below(4) == 0 ? below(static_cast<size_t>(asked.prompt.tokens())) : INT64_MAX;
      ask(cache, asked, plan, {}, chunk, stop_after);
      naive.keep(expected);
      if (static_cast<int64_t>(naive.rows.size()) < cache.tokens()) {
        if (naive.turns.empty() || expected > naive.turns.back().second) naive.turns.push_back({expected, 0});
        naive.turns.back().second = asked.prompt.tokens();
      }
      const std::vector<Row> wanted = rows_of(asked, plan);
      while (static_cast<int64_t>(naive.rows.size()) < cache.tokens()) naive.rows.push_back(wanted[naive.rows.size()]);
      QCOMPARE(cache.tokens(), static_cast<int64_t>(naive.rows.size()));

      const bool finished = cache.tokens() == asked.prompt.tokens();
      history.push_back(asked);
      if (!finished || below(4) == 0) continue;
      const std::vector<int32_t> answer = random_text(5);
      for (const int32_t id : answer) {
        cache.append_answer(id);
        naive.rows.push_back({.id = id});
      }
      history.push_back(asked.text(answer));
    }
  }
  QVERIFY(taken_over > 10'000);
}

QTEST_APPLESS_MAIN(PrefixCacheTest)
#include "tst_prefix_cache.moc"
