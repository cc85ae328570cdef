// inspect on the config of every published size, without weights: what transformers counts.
#include <QTemporaryDir>
#include <QtTest>

#include "tests/app/cli_program.h"

using namespace poplens::test;

class TestCliPublishedSizes : public QObject {
  Q_OBJECT

 private slots:
  void size_data() {
    QTest::addColumn<QJsonObject>("golden");
    QFile file(data_path("published_sizes.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray sizes = QJsonDocument::fromJson(file.readAll()).array();
    QCOMPARE(sizes.size(), 12);
    for (const QJsonValue size : sizes) QTest::newRow(qPrintable(size["name"].toString())) << size.toObject();
  }

  void size() {
    QFETCH(QJsonObject, golden);
    const QTemporaryDir folder;
    const auto write = [&](const char* name, const QJsonValue& value) {
      QFile file(folder.filePath(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(QJsonDocument(value.toObject()).toJson());
    };
    write("config.json", golden["config"]);
    QStringList arguments = {"inspect", "--json", folder.path()};
    const QJsonObject tokens = golden["image_tokens"].toObject();
    if (golden.contains("preprocessor")) {
      write("preprocessor_config.json", golden["preprocessor"]);
      for (const QString& picture : tokens.keys()) arguments << "--image" << data_path("pictures/" + picture);
    }
    const CliRun run = run_cli(arguments);
    QVERIFY2(run.status == 0, run.err.constData());
    const QJsonObject report = run.json();
    QCOMPARE(report["parameters"].toInteger(), golden["parameters"].toInteger());
    QCOMPARE(report["weights_bytes"].toInteger(), 2 * golden["parameters"].toInteger());
    QVERIFY(!report["weights_stored"].toBool());
    const QJsonObject memory = report["memory_bytes"].toObject()["cpu"].toObject();
    QVERIFY(memory["total"].toInteger() > report["weights_bytes"].toInteger());
    const QJsonArray images = report["images"].toArray();
    QCOMPARE(images.size(), tokens.size());
    for (qsizetype k = 0; k < images.size(); ++k)
      QCOMPARE(images[k]["tokens"].toInt(), tokens[tokens.keys()[k]].toInt());
  }

  void a_picture_for_a_text_model() {
    const CliRun run = run_cli({"inspect", data_path("llama/tiny-tied"), "--image", data_path("pictures/scene.png")});
    QVERIFY2(run.failed_with_one_line(), run.err.constData());
    QVERIFY(run.err.contains("scene.png: this model reads no pictures"));
  }
};

QTEST_GUILESS_MAIN(TestCliPublishedSizes)
#include "tst_cli_published_sizes.moc"
