// models: what is found, keys and types of the report, and folders that are named.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/cli_program.h"

using namespace poplens::test;

class TestCliModels : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    home_ = std::make_unique<QTemporaryDir>();
    environment_ = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "OLLAMA_MODELS", "POPLENS_MODELS"}) {
      environment_.remove(name);
    }
    environment_.insert("HOME", home_->path());
  }

  void report() {
    QVERIFY(QDir().mkpath(home_->filePath(".cache/llama.cpp")));
    QVERIFY(write_file(home_->filePath(".cache/llama.cpp/small-Q4_0.gguf"), "GGUF"));
    const CliRun run = run_cli({"models", "--folder", tiny_model(), "--json"}, {}, environment_);
    QVERIFY2(run.status == 0, run.err.constData());
    QVERIFY(run.err.isEmpty());
    QVERIFY(run.json()["memory_free_bytes"].toDouble() > 0.0);
    QHash<QString, QJsonObject> models;
    for (const QJsonValue entry : run.json()["models"].toArray()) models[entry["name"].toString()] = entry.toObject();
    QCOMPARE(models.size(), 3);

    const QJsonObject tiny = models["tiny-tied"];
    QCOMPARE(tiny["path"].toString(), tiny_model());
    QCOMPARE(tiny["origin"].toString(), "folder");
    QCOMPARE(tiny["family"].toString(), "qwen3_vl");
    QCOMPARE(tiny["layers"].toInt(), 8);
    QCOMPARE(tiny["quantization"].toString(), "BF16");
    QVERIFY(tiny["parameters"].toInt() > 0);
    QVERIFY(tiny["memory_bytes"].toInt() > tiny["weights_bytes"].toInt());
    QVERIFY(tiny["vision"].toBool());
    QVERIFY(tiny["loadable"].toBool());
    QVERIFY(tiny["why_not"].isNull());

    const QJsonObject gguf = models["small-Q4_0"];
    QCOMPARE(gguf["quantization"].toString(), "Q4_0");
    QVERIFY(gguf["family"].isNull());
    QVERIFY(gguf["parameters"].isNull());
    QVERIFY(!gguf["loadable"].toBool());
    QVERIFY(gguf["why_not"].toString().contains("GGUF"));

    QCOMPARE(models["demo-qwen3-vl"]["origin"].toString(), "bundled");
  }

  void text() {
    const CliRun run = run_cli({"models"}, {}, environment_);
    QCOMPARE(run.status, 0);
    QVERIFY(run.out.startsWith("demo-qwen3-vl\n"));
    QVERIFY(run.out.contains("reads pictures"));
  }

  void a_file_is_no_folder() {
    const CliRun run = run_cli({"models", "--folder", tiny_model() + "/config.json"}, {}, environment_);
    QVERIFY2(run.failed_with_one_line() && run.err.contains("is not a folder"), run.err.constData());
  }

  void no_such_folder() {
    const CliRun run = run_cli({"models", "--folder", "/no/such"}, {}, environment_);
    QVERIFY(run.failed_with_one_line());
    QVERIFY(run.err.contains("/no/such"));
  }

 private:
  std::unique_ptr<QTemporaryDir> home_;
  QProcessEnvironment environment_;
};

QTEST_APPLESS_MAIN(TestCliModels)
#include "tst_cli_models.moc"
