// eval on a tiny checkpoint: rows, keys, and what must come out whatever the weights; damaged data files.
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/cli_program.h"

using namespace poplens::test;

namespace {

class DataFile {
 public:
  explicit DataFile(const QByteArray& content) {
    QFile::copy(QStringLiteral(POPLENS_SOURCE_DIR "/assets/samples/shapes.png"), folder_.filePath("shapes.png"));
    QFile file(path());
    if (file.open(QIODevice::WriteOnly)) file.write(content);
  }
  QString path() const { return folder_.filePath("data.jsonl"); }

 private:
  QTemporaryDir folder_;
};

const QByteArray kLines = R"({"image": "shapes.png", "prompt": "How many?", "answer": "Three", "task": "count"})"
                          "\n\n"
                          R"({"prompt": "Say hello", "answer": "hello there"})"
                          "\n"
                          R"({"image": ["shapes.png"], "prompt": "And now?", "answer": "4", "task": "count"})";

CliRun eval(const QString& data, const QStringList& more) {
  return run_cli(QStringList{"eval", "--model", tiny_model(), "--dtype", "f32", "--data", data} + more);
}

void damaged_lines() {
  QTest::addColumn<QByteArray>("content");
  QTest::addColumn<QByteArray>("reason");
  const auto row = [](const char* name, const QByteArray& content, const char* reason) {
    QTest::newRow(name) << content << QByteArray(reason);
  };
  row("empty", "\n", "has no samples");
  row("no JSON", kLines + "\n{\"prompt\": ", "line 5");
  row("a list", "[1]", "line 1 is not an object");
  row("no prompt", R"({"answer": "a"})", "line 1 has no text 'prompt'");
  row("empty answer", R"({"prompt": "a", "answer": ""})", "empty 'answer'");
  row("image is a number", R"({"prompt": "a", "answer": "b", "image": 3})", "neither a file name nor a list");
  row("image is missing", R"({"prompt": "a", "answer": "b", "image": "no.png"})", "no.png");
}

}  // namespace

class TestCliEval : public QObject {
  Q_OBJECT

 private slots:
  void rows() {
    const DataFile data(kLines);
    const CliRun run =
        eval(data.path(), {"--depths", "0,3", "--methods", "full,pop,pop-no-boundary,decode,both", "--json"});
    QVERIFY2(run.status == 0, run.err.constData());
    const QJsonObject report = run.json();
    QCOMPARE(report["samples"].toInt(), 3);
    QMap<QString, QJsonObject> rows;
    for (const QJsonValue entry : report["rows"].toArray()) {
      const QJsonObject row = entry.toObject();
      const auto name = row["method"].toString() + QString::number(row["depth"].toInt()) + row["task"].toString();
      QVERIFY(!rows.contains(name));
      rows[name] = row;
      const bool timed = row["method"] == "full" || row["method"] == "pop";
      QCOMPARE(row["prefill_ms"].isDouble(), timed);
      QCOMPARE(row["ttft_ms"].isDouble(), timed);
      QCOMPARE(row["boundary"].toString(), row["method"] == "pop-no-boundary" ? "none" : "text");
      QCOMPARE(row["n"].toInt(), row["task"] == "all" ? 3 : 2);
      QVERIFY(row["loss"].toDouble() > 0.0);
      QCOMPARE(row["accuracy"].toDouble(), 0.0);  // random weights
      QVERIFY(row["retained"].isNull());
    }
    QCOMPARE(rows.size(), 2 * (1 + 4 * 2));
    for (const char* method : {"pop", "pop-no-boundary", "decode", "both"}) {
      const QJsonObject row = rows[QString(method) + "0all"];
      QCOMPARE(row["loss"].toDouble(), rows["full0all"]["loss"].toDouble());
      QCOMPARE(row["agreement"].toDouble(), 1.0);
      QVERIFY(rows[QString(method) + "3all"]["loss"].toDouble() != row["loss"].toDouble());
    }
    QVERIFY(rows["decode3all"]["agreement"].toDouble() < 1.0);
    QCOMPARE(rows["decode3count"]["loss"].toDouble(), rows["both3count"]["loss"].toDouble());
  }

  // What the model itself says is right, and what it says under a pruned decode is not.
  void right_answers_are_counted() {
    const CliRun said = run_cli({"generate", "--model", tiny_model(), "--dtype", "f32", "--prompt", "Say hello",
                                 "--max-tokens", "6", "--temperature", "0", "--json"});
    const QJsonObject line{{"prompt", "Say hello"}, {"answer", said.json()["text"]}};
    QVERIFY(!line["answer"].toString().isEmpty());
    const DataFile data(QJsonDocument(line).toJson(QJsonDocument::Compact));
    const CliRun run =
        eval(data.path(), {"--depths", "4", "--methods", "full,decode", "--score", "contains", "--json"});
    QVERIFY2(run.status == 0, run.err.constData());
    const QJsonArray rows = run.json()["rows"].toArray();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows[0].toObject()["accuracy"].toDouble(), 1.0);
    QCOMPARE(rows[0].toObject()["retained"].toDouble(), 1.0);
    QCOMPARE(rows[1].toObject()["accuracy"].toDouble(), 0.0);
    QCOMPARE(rows[1].toObject()["retained"].toDouble(), 0.0);

    // The table rounds: two of three are not 0.666.
    const QByteArray right = QJsonDocument(line).toJson(QJsonDocument::Compact);
    const DataFile three(right + "\n" + right + "\n{\"prompt\": \"Say hello\", \"answer\": \"never said\"}");
    const CliRun table = eval(three.path(), {"--depths", "4,4", "--methods", "full,decode", "--score", "contains"});
    QVERIFY2(table.out.contains(" 0.667 "), table.out.constData());
    // A depth that is named twice has one row.
    QCOMPARE(table.out.count("decode "), 1);
  }

  // Without answers there is nothing to count, and the losses are what they are with them.
  void only_the_loss() {
    const DataFile data(kLines);
    const QStringList wanted{"--depths", "3", "--methods", "full,decode", "--json"};
    const CliRun with = eval(data.path(), wanted), without = eval(data.path(), wanted + QStringList{"--loss-only"});
    QVERIFY2(without.status == 0, without.err.constData());
    const QJsonArray rows = without.json()["rows"].toArray(), answered = with.json()["rows"].toArray();
    QCOMPARE(rows.size(), answered.size());
    for (int i = 0; i < rows.size(); ++i) {
      const QJsonObject row = rows[i].toObject();
      for (const char* key : {"accuracy", "retained", "agreement"}) QVERIFY2(row[key].isNull(), key);
      QVERIFY(row["loss"].toDouble() > 0.0);
      QCOMPARE(row["loss"].toDouble(), answered[i].toObject()["loss"].toDouble());
    }
    const CliRun text = eval(data.path(), {"--depths", "3", "--methods", "full", "--loss-only"});
    QVERIFY(text.out.contains(" - "));
  }

  void samples_and_text() {
    const DataFile data(kLines);
    const CliRun run = eval(data.path(), {"--depths", "1", "--methods", "pop", "--samples", "1", "--boundary", "last"});
    QVERIFY2(run.status == 0, run.err.constData());
    QVERIFY(run.out.contains("pop ") && run.out.contains("last") && !run.out.contains("full"));
  }

  void damage_data() { damaged_lines(); }
  void damage() {
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, reason);
    const DataFile data(content);
    const CliRun run = eval(data.path(), {"--depths", "1", "--methods", "pop"});
    QVERIFY(run.failed_with_one_line());
    QVERIFY2(run.err.contains(reason), run.err.constData());
  }

  void usage() {
    const DataFile data(kLines);
    QCOMPARE(eval(data.path(), {"--depths", "1", "--methods", "magic"}).status, 2);
    QCOMPARE(eval(data.path(), {"--depths", "-1", "--methods", "pop"}).status, 2);
    QCOMPARE(eval(data.path(), {"--methods", "pop"}).status, 2);
    QVERIFY(eval(data.path(), {"--depths", "9", "--methods", "pop"}).failed_with_one_line());
    QVERIFY(eval("/nowhere/data.jsonl", {"--depths", "1", "--methods", "pop"}).failed_with_one_line());
  }
};

QTEST_GUILESS_MAIN(TestCliEval)
#include "tst_cli_eval.moc"
