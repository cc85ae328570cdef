// tokenize and inspect.
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/cli_program.h"

using namespace poplens::test;

namespace {

CliRun tokenize(const QStringList& rest, const QByteArray& input = {}) {
  return run_cli(QStringList{"tokenize", "--model", tiny_model()} + rest, input);
}

}  // namespace

class TestCliTokenize : public QObject {
  Q_OBJECT

 private slots:
  void both_ways() {
    const QString text = "What is <|im_end|> here?\n  größer, 大きい";
    const CliRun there = tokenize({"--prompt", text, "--json"});
    QVERIFY2(there.status == 0, there.err.constData());
    QCOMPARE(there.json()["text"].toString(), text);
    QStringList ids;
    for (const QJsonValue id : there.json()["ids"].toArray()) ids += QString::number(id.toInt());
    QVERIFY(!ids.contains("348"));  // <|im_end|> as letters
    const CliRun back = tokenize({"--ids", ids.join(","), "--json"});
    QCOMPARE(back.json()["text"].toString(), text);
    QCOMPARE(back.json()["ids"], there.json()["ids"]);
    QCOMPARE(tokenize({"--prompt", text}).out, ids.join(",").toUtf8() + "\n");
    QCOMPARE(tokenize({"--ids", ids.join(",")}).out, text.toUtf8() + "\n");
  }

  void special_tokens() {
    const CliRun parsed = tokenize({"--prompt", "<|im_end|>", "--parse-special", "--json"});
    QCOMPARE(parsed.json()["ids"].toArray(), (QJsonArray{348}));
    QCOMPARE(tokenize({"--ids", "348", "--json"}).json()["text"].toString(), "<|im_end|>");
    QCOMPARE(tokenize({"--prompt", "", "--json"}).json()["ids"].toArray(), QJsonArray());
  }

  void lines() {
    const QByteArray input = "\"What\"\n\"\"\n\"two\\nlines \\u00e9\"\n\"<|im_end|>\"";
    const CliRun run = tokenize({"--stdin-lines"}, input);
    QVERIFY2(run.status == 0, run.err.constData());
    const QByteArrayList lines = run.out.split('\n');
    QCOMPARE(lines.size(), 5);  // the last one ends too
    const auto ids = [](const QByteArray& line) { return QJsonDocument::fromJson(line).array(); };
    QCOMPARE(ids(lines[0]), tokenize({"--prompt", "What", "--json"}).json()["ids"].toArray());
    QCOMPARE(lines[1], QByteArray("[]"));
    QCOMPARE(ids(lines[2]), tokenize({"--prompt", "two\nlines é", "--json"}).json()["ids"].toArray());
    QCOMPARE(ids(tokenize({"--stdin-lines", "--parse-special"}, input).out.split('\n')[3]), (QJsonArray{348}));
    QCOMPARE(tokenize({"--stdin-lines"}).out, QByteArray());
  }

  void wrong_lines() {
    for (const char* line : {"What", "12", "[\"a\"]", "\"open", "\"\\ud800\"", ""}) {
      const CliRun run = tokenize({"--stdin-lines"}, QByteArray("\"fine\"\n") + line + "\n");
      QCOMPARE(run.status, 1);
      QCOMPARE(run.err.count('\n'), 1);
      QVERIFY2(run.err.contains("line 2"), run.err.constData());
    }
  }

  void answers_line_by_line() {
    QProcess process;
    process.start(POPLENS_BINARY_DIR "/bin/poplens-cli", {"tokenize", "--model", tiny_model(), "--stdin-lines"});
    for (int i = 0; i < 3; ++i) {
      process.write("\"What\"\n");
      QVERIFY(process.waitForReadyRead(60'000));
      QVERIFY(process.readAllStandardOutput().endsWith("]\n"));
    }
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 0);
  }

  void whole_prompts() {
    const QTemporaryDir folder;  // no weights
    for (const char* name : {"config.json", "tokenizer.json", "tokenizer_config.json", "preprocessor_config.json",
                             "generation_config.json", "chat_template.jinja"}) {
      QVERIFY(QFile::copy(tiny_model() + "/" + name, folder.filePath(name)));
    }
    const QStringList arguments{"tokenize",    "--model",
                                folder.path(), "--chat",
                                "--image",     data_path("pictures/scene.png"),
                                "--prompt",    "What is in this picture?",
                                "--json"};
    const CliRun run = run_cli(arguments);
    QVERIFY2(run.status == 0, run.err.constData());
    QCOMPARE(run.json()["ids"], golden_case(tiny_model(), "one_image")["ids"]);
    QVERIFY(run.json()["text"].toString().startsWith("<|im_start|>user\n<|vision_start|><|image_pad|>"));
    QVERIFY(run.json()["image_tokens"].toInt() > 1);
    const CliRun fewer = run_cli(arguments + QStringList{"--max-image-tokens", "4"});
    QVERIFY(fewer.json()["image_tokens"].toInt() <= 4);
  }

  void typed_special_tokens_stay_letters() {
    const QJsonObject golden = golden_case(tiny_model(), "typed_special");
    const QString text = golden["messages"].toArray()[0].toObject()["content"].toString();
    QCOMPARE(tokenize({"--chat", "--prompt", text, "--json"}).json()["ids"], golden["ids"]);
  }

  void inspection() {
    for (const QStringList& name : {QStringList{tiny_model()}, QStringList{"--model", tiny_model()}}) {
      const CliRun run = run_cli(QStringList{"inspect", "--json", "--image", data_path("pictures/scene.png")} + name);
      QVERIFY2(run.status == 0, run.err.constData());
      const QJsonObject report = run.json();
      QCOMPARE(report["family"].toString(), "qwen3_vl");
      QCOMPARE(report["layers"].toInt(), 8);
      QCOMPARE(report["context"].toInt(), 4096);
      const QJsonArray grid = golden_case(tiny_model(), "one_image")["image_grids"].toArray()[0].toArray();
      QCOMPARE(report["image_tokens"].toInt(), grid[1].toInt() * grid[2].toInt() / 4);
      QVERIFY(report["parameters"].isDouble());
      QVERIFY(report["weights_bytes"].isDouble());
      const QJsonObject memory = report["memory_bytes"].toObject()["cpu"].toObject();
      QVERIFY(memory["total"].toDouble() > report["weights_bytes"].toDouble());
      // Keys and values of 8 layers, 2 heads of 32, 2 bytes each.
      QCOMPARE(memory["kv_cache_per_token"].toInt(), 8 * 2 * 2 * 32 * 2);
    }
    QVERIFY(run_cli({"inspect", "--json", tiny_model()}).json()["image_tokens"].isNull());
  }

  // The tiny checkpoints hold a tied head or their own, so the reckoning from the config must meet the files' sum.
  void inspection_without_weights() {
    for (const char* name : {"tiny-tied", "tiny-untied"}) {
      const QString model = data_path(QString("qwen3_vl/") + name);
      const QTemporaryDir folder;
      QVERIFY(QFile::copy(model + "/config.json", folder.filePath("config.json")));
      const QJsonObject stored = run_cli({"inspect", "--json", model}).json();
      const QJsonObject reckoned = run_cli({"inspect", "--json", folder.path()}).json();
      QCOMPARE(reckoned["parameters"], stored["parameters"]);
      QVERIFY(stored["weights_stored"].toBool());
      QVERIFY(!reckoned["weights_stored"].toBool());
    }
  }
};

QTEST_APPLESS_MAIN(TestCliTokenize)
#include "tst_cli_tokenize.moc"
