#include <random>

#include <QtTest>

#include "engine/session/answer_text.h"

using namespace poplens;

namespace {

struct Streamed {
  std::vector<std::string> pieces;
  std::string text;
  bool stopped = false;
  size_t read = 0;  // pieces taken until it stopped
};

Streamed stream(std::vector<std::string> stops, const std::vector<std::string>& tokens) {
  AnswerText answer(std::move(stops));
  Streamed result;
  for (const std::string& token : tokens) {
    ++result.read;
    result.pieces.push_back(answer.add(token));
    if (answer.stopped()) break;
  }
  result.pieces.push_back(answer.finish());
  result.text = answer.shown();
  result.stopped = answer.stopped();
  return result;
}

std::string joined(const std::vector<std::string>& pieces) {
  std::string all;
  for (const std::string& piece : pieces) all += piece;
  return all;
}

// What must come out when the stop strings are looked for after every piece: the text before the leftmost of them.
std::string expected_text(const std::vector<std::string>& stops, const std::vector<std::string>& tokens) {
  std::string all;
  for (const std::string& token : tokens) {
    all += token;
    size_t end = std::string::npos;
    for (const std::string& stop : stops) {
      if (!stop.empty()) end = std::min(end, all.find(stop));
    }
    if (end != std::string::npos) return all.substr(0, end);
  }
  return all;
}

}  // namespace

class AnswerTextTest : public QObject {
  Q_OBJECT

 private slots:
  void without_stops_everything_comes_at_once() {
    const Streamed streamed = stream({}, {"a", "", "bc", "\n"});
    QCOMPARE(streamed.pieces, (std::vector<std::string>{"a", "", "bc", "\n", ""}));
    QCOMPARE(streamed.text, std::string("abc\n"));
    QVERIFY(!streamed.stopped);
  }

  void inside_one_token() {
    const Streamed streamed = stream({"END"}, {"one two ENDthree", "four"});
    QCOMPARE(streamed.text, std::string("one two "));
    QVERIFY(streamed.stopped);
    QCOMPARE(streamed.read, size_t{1});
  }

  void across_tokens_nothing_of_it_is_shown() {
    const Streamed streamed = stream({"STOP"}, {"go S", "T", "OP", "on"});
    QCOMPARE(streamed.pieces, (std::vector<std::string>{"go ", "", "", ""}));
    QCOMPARE(streamed.text, std::string("go "));
    QVERIFY(streamed.stopped);
    QCOMPARE(streamed.read, size_t{3});
  }

  void a_false_beginning_comes_out_as_soon_as_it_is_clear() {
    const Streamed streamed = stream({"STOP"}, {"S", "T", "A", "R"});
    QCOMPARE(streamed.pieces, (std::vector<std::string>{"", "", "STA", "R", ""}));
    QVERIFY(!streamed.stopped);
  }

  void what_is_held_comes_out_at_the_end() {
    const Streamed streamed = stream({"\n\n"}, {"done.", "\n"});
    QCOMPARE(streamed.pieces, (std::vector<std::string>{"done.", "", "\n"}));
    QCOMPARE(streamed.text, std::string("done.\n"));
    QVERIFY(!streamed.stopped);
  }

  // The held text's own tail may begin the stop string again: "aab" in "aaab".
  void a_stop_that_overlaps_itself() {
    QCOMPARE(stream({"aab"}, {"a", "a", "a", "b", "c"}).text, std::string("a"));
    QCOMPARE(stream({"abab"}, {"aba", "ab", "ab"}).text, std::string("aba"));
  }

  void several_stops_the_leftmost_counts() {
    QCOMPARE(stream({"two", "one"}, {"zero one two"}).text, std::string("zero "));
    QCOMPARE(stream({"wo", "two"}, {"one two"}).text, std::string("one "));
    QCOMPARE(stream({"\nUser:", "\n\n"}, {"hi\n", "\n"}).text, std::string("hi"));
    QCOMPARE(stream({"\nUser:", "\n\n"}, {"hi\n", "Us", "er", ":"}).text, std::string("hi"));
  }

  void a_short_stop_inside_the_beginning_of_a_long_one() {
    const Streamed streamed = stream({"abcd", "c"}, {"x", "a", "b", "c", "d"});
    QCOMPARE(streamed.text, std::string("xab"));
    QVERIFY(streamed.stopped);
  }

  void an_empty_stop_string_stops_nothing() {
    QCOMPARE(stream({""}, {"a", "b"}).text, std::string("ab"));
    QVERIFY(!stream({""}, {"a", "b"}).stopped);
    QVERIFY(stream({"", "b"}, {"a", "b"}).stopped);
  }

  void after_a_stop_nothing_comes() {
    AnswerText answer({"x"});
    QCOMPARE(answer.add("ax"), std::string("a"));
    QCOMPARE(answer.add("more"), std::string());
    QCOMPARE(answer.finish(), std::string());
    QCOMPARE(answer.shown(), std::string("a"));
  }

  void characters_of_several_bytes() {
    const Streamed streamed = stream({"→"}, {"ä", "→ö"});
    QCOMPARE(streamed.text, std::string("ä"));
    QVERIFY(streamed.stopped);
  }

  void random_streams_against_a_plain_search() {
    std::mt19937 random(7);
    const auto word = [&](size_t longest) {
      std::string text(random() % (longest + 1), ' ');
      for (char& letter : text) letter = "ab"[random() % 2];
      return text;
    };
    for (int round = 0; round < 4000; ++round) {
      std::vector<std::string> stops;
      for (size_t i = random() % 4; i > 0; --i) stops.push_back(word(5));
      std::vector<std::string> tokens;
      for (size_t i = random() % 12; i > 0; --i) tokens.push_back(word(3));
      const Streamed streamed = stream(stops, tokens);
      QCOMPARE(streamed.text, expected_text(stops, tokens));
      QCOMPARE(joined(streamed.pieces), streamed.text);
      QCOMPARE(streamed.stopped, streamed.text != joined(tokens));
    }
  }
};

QTEST_APPLESS_MAIN(AnswerTextTest)
#include "tst_answer_text.moc"
