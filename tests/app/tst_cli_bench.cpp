// bench on a tiny checkpoint: keys, types, and figures that follow from each other.
#include <cmath>

#include <QTest>

#include "tests/app/cli_program.h"

using namespace poplens::test;

class TestCliBench : public QObject {
  Q_OBJECT

 private slots:
  void report() {
    const CliRun run = run_cli({"bench", "--model", tiny_model(), "--image-tokens", "24", "--prompt-tokens", "10",
                                "--depths", "2,4", "--runs", "2", "--decode-tokens", "2", "--json", "--threads", "2"});
    QVERIFY2(run.status == 0, run.err.constData());
    const QJsonObject report = run.json();
    QCOMPARE(report["tokens"].toInt(), 34);
    QCOMPARE(report["layers"].toInt(), 8);
    QCOMPARE(report["threads"].toInt(), 2);
    QVERIFY(!report["layers_cut"].toBool());
    QVERIFY(report["device"].isString());
    QVERIFY(report["peak_gflops"].toDouble() > 0.0);
    QVERIFY(report["share_of_peak"].toDouble() > 0.0);
    const QJsonArray rows = report["rows"].toArray();
    QCOMPARE(rows.size(), 3);  // the full prefill is always there
    int depth = 0;
    for (const QJsonValue entry : rows) {
      const QJsonObject row = entry.toObject();
      QCOMPARE(row["depth"].toInt(), depth);
      depth += 2;
      for (const char* key : {"prefill_ms", "ttft_ms", "vision_ms", "limit", "share_of_limit", "decode_tokens_per_s",
                              "prefill_tokens_per_s", "kv_projection_share", "predicted_prefill_ms",
                              "predicted_ttft_ms", "corrected_ttft_ms"}) {
        QVERIFY2(row[key].isDouble() && row[key].toDouble() > 0.0, key);
      }
      QVERIFY(row["boundary_ms"].isDouble());
      QVERIFY(row["predicted_ttft_ms"].toDouble() > row["predicted_prefill_ms"].toDouble());
      // What was read in to warm up never took to the nanosecond what the calibration had told.
      QVERIFY(row["corrected_ttft_ms"].toDouble() != row["predicted_ttft_ms"].toDouble());
      QVERIFY(row["ttft_ms"].toDouble() >= row["vision_ms"].toDouble() + row["prefill_ms"].toDouble());
      QVERIFY(std::abs(row["share_of_limit"].toDouble() * row["limit"].toDouble() - row["speed_up"].toDouble()) < 1e-9);
    }
    QCOMPARE(rows[0].toObject()["limit"].toDouble(), 1.0);
    QCOMPARE(rows[0].toObject()["speed_up"].toDouble(), 1.0);
    QVERIFY(rows[2].toObject()["limit"].toDouble() > rows[1].toObject()["limit"].toDouble());
  }

  void without_vision_and_cut() {
    const CliRun run = run_cli({"bench", "--model", tiny_model(), "--image-tokens", "6", "--prompt-tokens", "5",
                                "--layers", "4", "--no-vision", "--runs", "1", "--decode-tokens", "1", "--json"});
    QVERIFY2(run.status == 0, run.err.constData());
    QCOMPARE(run.json()["layers"].toInt(), 4);
    QCOMPARE(run.json()["published_layers"].toInt(), 8);
    QVERIFY(run.json()["layers_cut"].toBool());
    QCOMPARE(run.json()["rows"].toArray().size(), 3);  // 0, a third, a half
    for (const QJsonValue row : run.json()["rows"].toArray()) QVERIFY(row.toObject()["vision_ms"].isNull());
  }

  void a_published_size() {
    const CliRun run = run_cli({"bench", "--shape", "gemma3-270m", "--layers", "2", "--prompt-tokens", "8", "--depths",
                                "1", "--runs", "1", "--decode-tokens", "1"});
    QVERIFY2(run.status == 0, run.err.constData());
    QVERIFY(run.out.contains("gemma3-270m, 2 of 18 layers"));
  }
};

QTEST_APPLESS_MAIN(TestCliBench)
#include "tst_cli_bench.moc"
