// Exported comparisons: every figure in its place, decimal points whatever the locale, never half a file.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QTemporaryDir>
#include <QTest>

#include "ui/store/comparison_file.h"

using namespace poplens;
using namespace poplens::ui;

namespace {

ComparedFigures side(int depth, double ttft, double agreement) {
  ComparedFigures figures{.text = "an answer",
                          .runs = {{ttft + 0.5, {.prefill_ms = ttft}}, {ttft, {.prefill_ms = ttft - 1.0}}},
                          .fromFull = {.ttft_ratio = 1.5, .agreement = agreement, .first_token_kl = 0.25}};
  figures.figures.ttftMs = ttft;
  figures.figures.prunedLayers = depth;
  figures.figures.layers = 20;
  figures.figures.stages.vision_ms = 2.5;
  if (agreement < 1.0) figures.fromFull.divergence = 4;
  return figures;
}

ComparisonRecord record() {
  ComparisonRecord record{.question = "Is it \"red\"?\nSay."};
  record.pictures = {{.hash = "abc", .name = "a, b.png", .tokens = 12}};
  record.sampling.seed = 18446744073709551615ULL;
  record.compared.sides = {side(0, 10.5, 1.0), side(6, 7.25, 0.5)};
  record.sweep.sides = {side(0, 10.0, 1.0), side(2, 9.0, 1.0), side(4, 8.0, 0.75)};
  return record;
}

}  // namespace

class ComparisonFileTest : public QObject {
  Q_OBJECT

 private slots:
  void json() {
    const QJsonObject json = QJsonDocument::fromJson(to_json(record())).object();
    QCOMPARE(json["question"].toString(), QString("Is it \"red\"?\nSay."));
    QCOMPARE(json["pictures"].toArray().first().toObject()["tokens"].toInt(), 12);
    QCOMPARE(json["sampling"].toObject()["seed"].toString(), QString("18446744073709551615"));
    QCOMPARE(json["full"].toObject()["ttft_ms"].toDouble(), 10.5);
    QCOMPARE(json["pop"].toObject()["plan"].toObject()["depth"].toInt(), 6);
    QCOMPARE(json["pop"].toObject()["stages_ms"].toObject()["vision"].toDouble(), 2.5);
    QCOMPARE(json["ttft_ratio"].toDouble(), 1.5);
    QCOMPARE(json["first_divergence"].toInt(), 4);
    QCOMPARE(json["first_token_kl"].toDouble(), 0.25);
    QCOMPARE(json["runs"].toArray().size(), 2);
    QCOMPARE(json["runs"].toArray()[1].toObject()["order"].toArray(), (QJsonArray{"pop", "full"}));
    const QJsonArray sweep = json["sweep"].toArray();
    QCOMPARE(sweep.size(), 3);
    QVERIFY(sweep[1].toObject()["first_divergence"].isNull());
    QCOMPARE(sweep[2].toObject()["agreement"].toDouble(), 0.75);
  }

  void only_a_sweep() {
    ComparisonRecord only = record();
    only.compared = {};
    const QJsonObject json = QJsonDocument::fromJson(to_json(only)).object();
    QVERIFY(!json.contains("full"));
    QCOMPARE(json["sweep"].toArray().size(), 3);
  }

  void csv() {
    QLocale::setDefault(QLocale::German);
    const QList<QByteArray> lines = to_csv(record()).split('\n');
    QLocale::setDefault(QLocale::c());
    QCOMPARE(lines[0], QByteArray("kind,depth,run,ttft_ms,image_decode_ms,preprocess_ms,vision_ms,prefill_ms,"
                                  "boundary_ms,first_token_ms,agreement,first_token_kl"));
    QCOMPARE(lines[1], QByteArray("compare_run,0,1,11,0,0,0,10.5,0,0,,"));
    QCOMPARE(lines[6], QByteArray("compare_median,6,,7.25,0,0,2.5,0,0,0,0.5,0.25"));
    QCOMPARE(lines.size(), 1 + 2 * 3 + 3 * 3 + 1);
    for (const QByteArray& line : lines.mid(0, lines.size() - 1)) QCOMPARE(line.count(','), 11);
  }
};

QTEST_GUILESS_MAIN(ComparisonFileTest)
#include "tst_comparison_file.moc"
