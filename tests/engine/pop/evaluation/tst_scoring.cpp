// When an answer counts as right.
#include <QtTest>

#include "engine/pop/evaluation/method.h"
#include "engine/pop/evaluation/scoring.h"

using namespace poplens;

class ScoringTest : public QObject {
  Q_OBJECT

 private slots:
  void scores_data() {
    QTest::addColumn<QString>("score");
    QTest::addColumn<QString>("answer");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<double>("value");
    QTest::newRow("exact, trimmed and folded") << "exact"
                                               << " Red\n"
                                               << "red" << 1.0;
    QTest::newRow("exact, more than that") << "exact"
                                           << "red."
                                           << "red" << 0.0;
    QTest::newRow("number in words around it") << "number"
                                               << "There are 1,250.50 in all"
                                               << "1250.5" << 1.0;
    QTest::newRow("number with a sign") << "number"
                                        << "-3"
                                        << "3" << 0.0;
    QTest::newRow("no number") << "number"
                               << "three"
                               << "3" << 0.0;
    QTest::newRow("no number expected either") << "number"
                                               << "a"
                                               << "a" << 0.0;
    QTest::newRow("contains") << "contains"
                              << "It says STOP here"
                              << "stop" << 1.0;
    QTest::newRow("contains not") << "contains"
                                  << "It says"
                                  << "stop" << 0.0;
    QTest::newRow("items, half of them") << "items"
                                         << "a red ring, a blue star"
                                         << "a blue star, a green dot" << 0.5;
    QTest::newRow("items, once each") << "items"
                                      << "a, b"
                                      << "a, a, b, b" << 0.5;
    QTest::newRow("items of a table") << "items"
                                      << "| X | 3 |\n| --- | --- |\n| Y | 4 |"
                                      << "| X | 3 |\n| Y | 5 |" << 0.75;
    QTest::newRow("nothing given") << "items"
                                   << ""
                                   << "a" << 0.0;
  }
  void scores() {
    QFETCH(QString, score);
    QFETCH(QString, answer);
    QFETCH(QString, expected);
    QFETCH(double, value);
    const auto parsed = parse_score(score.toStdString());
    QVERIFY(parsed.ok());
    QCOMPARE(score_answer(*parsed, answer.toStdString(), expected.toStdString()), value);
  }

  void names_are_checked() {
    QCOMPARE(parse_score("best").error().message, "'best' is not a score: exact, number, contains, items");
    QCOMPARE(parse_eval_methods("full,pops").error().message,
             "'pops' is not a method: full, pop, pop-no-boundary, decode, both");
    const auto methods = parse_eval_methods("both,full,both,pop-no-boundary");
    QVERIFY(methods.ok());
    QVERIFY(*methods == (std::vector{EvalMethod::both, EvalMethod::full, EvalMethod::pop_no_boundary}));
  }

  void ablations_close_their_stages() {
    const LayerGates open, closed{0.0F, 0.0F};
    const auto gates = [](EvalMethod method) { return gates_for(method, 4, 2, 30, 50); };
    for (const EvalMethod method : {EvalMethod::pop_no_boundary, EvalMethod::decode, EvalMethod::both}) {
      const VirtualGates all = gates(method);
      for (const auto* stage : {&all.prefill, &all.decode}) QVERIFY((*stage)[0] == open && (*stage)[1] == open);
      QVERIFY(all.prefill[2] == (method == EvalMethod::decode ? open : closed));
      QVERIFY(all.prefill[3] == all.prefill[2]);
      QVERIFY(all.decode[3] == (method == EvalMethod::pop_no_boundary ? open : closed));
      QCOMPARE(all.decode_from, method == EvalMethod::pop_no_boundary ? 50 : 30);
    }
  }
};

QTEST_APPLESS_MAIN(ScoringTest)
#include "tst_scoring.moc"
