// Measured speeds kept in a file: the same numbers back, other entries untouched, damage is no entry.
#include <QTemporaryDir>
#include <QtTest>

#include "engine/pop/cost/speed_file.h"

using namespace poplens;

namespace {

MeasuredSpeed some_speed() {
  return {.prefill = {.layer = {{1, 0.5}, {64, 2.25}},
                      .keys = {{1, 0.125}, {64, 0.5}},
                      .attention_ms_per_pair = 1e-6,
                      .chunk_tokens = 512},
          .first_token_ms = 3.5,
          .vision = VisionTimes{0.25, 0.001},
          .prefill_took = {{100.0, 110.0}, {40.0, 30.0}},
          .vision_took = {{7.0, 8.0}}};
}

}  // namespace

class SpeedFileTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::filesystem::path file() const { return folder_.filePath("below/speed.json").toStdString(); }
  void write(const QByteArray& content) const {
    QFile out(QString::fromStdString(file().string()));
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(content);
  }

 private slots:
  void kept_and_read() {
    QVERIFY(!read_speed(file(), "a"));
    MeasuredSpeed text_only = some_speed();
    text_only.vision.reset();
    text_only.first_token_ms = 7.0;
    QVERIFY(keep_speed(file(), "a", some_speed()).ok());
    QVERIFY(keep_speed(file(), "b", text_only).ok());
    const auto a = read_speed(file(), "a"), b = read_speed(file(), "b");
    QVERIFY(a && b && !read_speed(file(), "c"));
    QCOMPARE(a->prefill.layer[1].rows, 64);
    QCOMPARE(a->prefill.layer[1].ms, 2.25);
    QCOMPARE(a->prefill.keys[0].ms, 0.125);
    QCOMPARE(a->prefill.attention_ms_per_pair, 1e-6);
    QCOMPARE(a->prefill.chunk_tokens, 512);
    QCOMPARE(a->vision->ms_per_token_squared, 0.001);
    QVERIFY(a->prefill_took == some_speed().prefill_took);
    QVERIFY(a->vision_took == some_speed().vision_took);
    QVERIFY(!b->vision);
    QCOMPARE(b->first_token_ms, 7.0);
  }

  // Entries of old models go when there are too many, but not for one that is there already.
  void too_many_entries_are_forgotten() {
    std::filesystem::remove(file());
    for (int i = 0; i < 200; ++i) QVERIFY(keep_speed(file(), std::to_string(i), some_speed()).ok());
    QVERIFY(keep_speed(file(), "7", some_speed()).ok());
    QVERIFY(read_speed(file(), "7") && read_speed(file(), "199"));
    QVERIFY(keep_speed(file(), "a", some_speed()).ok());
    QVERIFY(read_speed(file(), "a") && !read_speed(file(), "199"));
  }

  // The calibration stays, whatever became of the answers beside it.
  void damaged_answers_data() {
    QTest::addColumn<QByteArray>("answers");
    QTest::addColumn<size_t>("read");
    QTest::newRow("missing") << QByteArray() << size_t{0};
    QTest::newRow("a number") << QByteArray(R"(, "prefill_took": 3)") << size_t{0};
    QTest::newRow("one time") << QByteArray(R"(, "prefill_took": [[1, 2], [1]])") << size_t{0};
    QTest::newRow("a word") << QByteArray(R"(, "prefill_took": [["a", 2]])") << size_t{0};
    QTest::newRow("a negative time") << QByteArray(R"(, "prefill_took": [[1, -2]])") << size_t{0};
    QTest::newRow("told nothing") << QByteArray(R"(, "prefill_took": [[1, 0], [2, 3], [1e-300, 5]])") << size_t{1};
    QTest::newRow("too many") << R"(, "prefill_took": [[1, 2])" + QByteArray(", [1, 2]").repeated(99) + "]"
                              << kMostAnswerTimes;
  }
  void damaged_answers() {
    QFETCH(const QByteArray, answers);
    QFETCH(const size_t, read);
    std::filesystem::create_directories(file().parent_path());
    write(R"({"a": {"layer": [[1, 2], [2, 3]], "keys": [[1, 2], [2, 3]], "attention_pair": 0, "first_token": 1,)"
          R"("chunk_tokens": 1)" +
          answers + "}}");
    const auto speed = read_speed(file(), "a");
    QVERIFY(speed);
    QCOMPARE(speed->prefill_took.size(), read);
  }

  void damage_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("a list") << QByteArray("[]");
    QTest::newRow("entry is a number") << QByteArray(R"({"a": 1})");
    QTest::newRow("one row") << QByteArray(
        R"({"a": {"layer": [[1, 2]], "keys": [[1, 2], [2, 3]], "attention_pair": 0, "first_token": 1, "chunk_tokens": 1}})");
    QTest::newRow("rows fall") << QByteArray(
        R"({"a": {"layer": [[2, 2], [1, 3]], "keys": [[1, 2], [2, 3]], "attention_pair": 0, "first_token": 1, "chunk_tokens": 1}})");
    QTest::newRow("a negative time") << QByteArray(
        R"({"a": {"layer": [[1, -2], [2, 3]], "keys": [[1, 2], [2, 3]], "attention_pair": 0, "first_token": 1, "chunk_tokens": 1}})");
    QTest::newRow("no time") << QByteArray(
        R"({"a": {"layer": [[1, 0], [2, 3]], "keys": [[1, 2], [2, 3]], "attention_pair": 0, "first_token": 1, "chunk_tokens": 1}})");
    QTest::newRow("a time without end") << QByteArray(
        R"({"a": {"layer": [[1, 2], [2, 3]], "keys": [[1, 2], [2, 3]], "attention_pair": 1e300, "first_token": 1, "chunk_tokens": 1}})");
    QByteArray points;
    for (int rows = 1; rows < 1000; ++rows) points += "[" + QByteArray::number(rows) + ", 1], ";
    QTest::newRow("too many rows") << R"({"a": {"layer": [)" + points +
                                          R"([1000, 3]], "keys": [[1, 2], [2, 3]], "attention_pair": 0,)"
                                          R"( "first_token": 1, "chunk_tokens": 1}})";
    QTest::newRow("no chunk") << QByteArray(
        R"({"a": {"layer": [[1, 2], [2, 3]], "keys": [[1, 2], [2, 3]], "attention_pair": 0, "first_token": 1, "chunk_tokens": 0}})");
  }
  void damage() {
    QFETCH(QByteArray, content);
    std::filesystem::create_directories(file().parent_path());
    write(content);
    QVERIFY(!read_speed(file(), "a"));
    QVERIFY(keep_speed(file(), "a", some_speed()).ok());
    QVERIFY(read_speed(file(), "a"));
  }

  void vision_prediction() { QCOMPARE(predicted_vision_ms({0.5, 0.01}, 100), 50.0 + 100.0); }
};

QTEST_APPLESS_MAIN(SpeedFileTest)
#include "tst_speed_file.moc"
