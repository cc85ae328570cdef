#include <QtTest>

#include "engine/pop/plan.h"

using namespace poplens;

namespace {

using Layers = std::vector<int>;

std::string error_of_list(std::string_view text) {
  const auto parsed = parse_layer_list(text);
  return parsed.ok() ? std::string() : parsed.error().message;
}

}  // namespace

class PlanTest : public QObject {
  Q_OBJECT

 private slots:
  void layer_lists() {
    QCOMPARE(*parse_layer_list("12,14,20-27"), (Layers{12, 14, 20, 21, 22, 23, 24, 25, 26, 27}));
    QCOMPARE(*parse_layer_list("0"), Layers{0});
    QCOMPARE(*parse_layer_list("3-3"), Layers{3});
    QCOMPARE(*parse_layer_list("5,2-3,5"), (Layers{5, 2, 3, 5}));
    QCOMPARE(*parse_layer_list("00007"), Layers{7});
  }

  void hostile_layer_lists_data() {
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"",
                             ",",
                             "1,",
                             ",1",
                             "1,,2",
                             "a",
                             "1a",
                             "-",
                             "-1",
                             "1-",
                             "1--2",
                             "1-2-3",
                             " 1",
                             "1 ",
                             "+1",
                             "1.5",
                             "0x10",
                             "1e3",
                             "9-3",
                             "99999999999999999999",
                             "0-9223372036854775807",
                             "9223372036854775807",
                             "100000",
                             "1;2",
                             "\xff\xfe",
                             "١"}) {
      QTest::newRow(text) << QByteArray(text);
    }
    QTest::newRow("NUL") << QByteArray("1\0002", 3);
  }
  void hostile_layer_lists() {
    QFETCH(QByteArray, text);
    const std::string message = error_of_list({text.data(), static_cast<size_t>(text.size())});
    QVERIFY2(message.starts_with("layer list: '"), message.c_str());
  }

  // A list that names its layers again and again is as long as its text allows, no longer.
  void repeated_ranges_stay_bounded() {
    const auto parsed = parse_layer_list("0-99999,0-99999");
    QVERIFY(!parsed.ok() || parsed->size() <= 200'000);
  }

  void boundaries() {
    QVERIFY((*parse_boundary("last") == Boundary{Boundary::Kind::last, 1}));
    QVERIFY((*parse_boundary("text") == Boundary{Boundary::Kind::text, 1}));
    QVERIFY((*parse_boundary("5") == Boundary{Boundary::Kind::count, 5}));
    QVERIFY((*parse_boundary("9223372036854775807") == Boundary{Boundary::Kind::count, INT64_MAX}));
    for (const char* text : {"last", "text", "1", "77"}) QCOMPARE(to_string(*parse_boundary(text)), std::string(text));
  }

  void hostile_boundaries_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "0", "-1", "Last", "last ", " text", "TEXT", "5x", "1.0", "1e2", "lasttext",
                             "9223372036854775808", "99999999999999999999999", "\xff"}) {
      QTest::newRow(text) << QString::fromLatin1(text);
    }
  }
  void hostile_boundaries() {
    QFETCH(QString, text);
    const auto parsed = parse_boundary(text.toLatin1().toStdString());
    QVERIFY(!parsed.ok());
    QCOMPARE(parsed.error().message,
             "boundary '" + text.toLatin1().toStdString() + "': give last, text or a number of positions (1 or more)");
  }

  void suffixes() {
    const Boundary boundary{Boundary::Kind::count, 3};
    QVERIFY(PopPlan::suffix(8, 0, boundary)->empty());
    QCOMPARE(PopPlan::suffix(8, 0, boundary)->boundary, boundary);
    QCOMPARE(PopPlan::suffix(8, 3, boundary)->layers, (Layers{5, 6, 7}));
    QCOMPARE(PopPlan::suffix(2, 2, boundary)->layers, (Layers{0, 1}));
    for (const int depth : {-1, 9, INT32_MIN, INT32_MAX}) {
      const auto plan = PopPlan::suffix(8, depth, boundary);
      QVERIFY(!plan.ok());
      QCOMPARE(plan.error().message, "pruning depth " + std::to_string(depth) + ": the model has 8 layers");
    }
  }

  void layer_sets() {
    const auto plan = PopPlan::of_layers(8, {6, 2, 7, 2}, {});
    QCOMPARE(plan->layers, (Layers{2, 6, 7}));
    for (int layer = -1; layer < 9; ++layer) QCOMPARE(plan->prunes(layer), layer == 2 || layer == 6 || layer == 7);
    QVERIFY(PopPlan::of_layers(8, {}, {})->empty());
    for (const int layer : {-1, 8, INT32_MIN, INT32_MAX}) {
      const auto refused = PopPlan::of_layers(8, {1, layer}, {});
      QVERIFY(!refused.ok());
      QCOMPARE(refused.error().message, "pruned layer " + std::to_string(layer) + ": the model has layers 0 to 7");
    }
  }

  void boundary_begins_data() {
    using Kind = Boundary::Kind;
    QTest::addColumn<int>("kind");
    QTest::addColumn<qint64>("count");
    QTest::addColumn<qint64>("tokens");
    QTest::addColumn<QList<qint64>>("pictures");  // begin, end, begin, end, …
    QTest::addColumn<qint64>("expected");
    const auto row = [](const char* name, Kind kind, qint64 count, qint64 tokens, const QList<qint64>& pictures,
                        qint64 begin) {
      QTest::newRow(name) << static_cast<int>(kind) << count << tokens << pictures << begin;
    };
    row("last", Kind::last, 1, 100, {}, 99);
    row("last, count ignored", Kind::last, 50, 100, {}, 99);
    row("last, one token", Kind::last, 1, 1, {}, 0);
    row("last, picture before", Kind::last, 1, 100, {10, 60}, 99);
    row("last, picture at the end", Kind::last, 1, 100, {40, 100}, 40);
    row("last, picture of one token at the end", Kind::last, 1, 100, {99, 100}, 99);
    row("text, no picture", Kind::text, 1, 100, {}, 99);
    row("text, one picture", Kind::text, 1, 100, {10, 60}, 60);
    row("text, several pictures", Kind::text, 1, 100, {10, 20, 25, 70}, 70);
    row("text, one token after", Kind::text, 1, 100, {10, 99}, 99);
    row("text, picture at the end", Kind::text, 1, 100, {40, 100}, 40);
    row("text, two pictures, one at the end", Kind::text, 1, 100, {10, 20, 40, 100}, 40);
    row("text, nothing but a picture", Kind::text, 1, 100, {0, 100}, 0);
    row("5", Kind::count, 5, 100, {}, 95);
    row("as many as there are", Kind::count, 100, 100, {}, 0);
    row("more than there are", Kind::count, 101, 100, {}, 0);
    row("the most", Kind::count, INT64_MAX, 100, {}, 0);
    row("none", Kind::count, 0, 100, {}, 99);
    row("fewer than none", Kind::count, INT64_MIN, 100, {}, 99);
    row("5, in the text", Kind::count, 5, 100, {10, 95}, 95);
    row("6, one token into the picture", Kind::count, 6, 100, {10, 95}, 10);
    row("cut in the middle", Kind::count, 50, 100, {10, 95}, 10);
    row("at the picture's first token", Kind::count, 90, 100, {10, 95}, 10);
    row("before the picture", Kind::count, 91, 100, {10, 95}, 9);
    row("cuts the second of three", Kind::count, 50, 100, {0, 30, 40, 60, 70, 80}, 40);
    row("between two that touch", Kind::count, 50, 100, {20, 50, 50, 80}, 50);
    row("cuts the first of two that touch", Kind::count, 51, 100, {20, 50, 50, 80}, 20);
  }
  void boundary_begins() {
    QFETCH(int, kind);
    QFETCH(qint64, count);
    QFETCH(qint64, tokens);
    QFETCH(QList<qint64>, pictures);
    QFETCH(qint64, expected);
    std::vector<TokenSpan> spans;
    for (qsizetype i = 0; i + 1 < pictures.size(); i += 2) spans.push_back({pictures[i], pictures[i + 1]});
    QCOMPARE(boundary_begin({static_cast<Boundary::Kind>(kind), count}, tokens, spans), int64_t{expected});
  }
};

QTEST_APPLESS_MAIN(PlanTest)
#include "tst_plan.moc"
