// Exit statuses, the one line on standard error, and what is refused.
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/cli_program.h"

using namespace poplens::test;

class TestCliUsage : public QObject {
  Q_OBJECT

 private slots:
  void help() {
    for (const QStringList& arguments : {QStringList{"--help"}, QStringList{"generate", "--help"}}) {
      const CliRun run = run_cli(arguments);
      QCOMPARE(run.status, 0);
      QVERIFY(run.out.contains("--help"));
      QVERIFY(run.err.isEmpty());
    }
  }

  void wrong_usage_data() {
    QTest::addColumn<QStringList>("arguments");
    const QStringList generate{"generate", "--model", tiny_model(), "--prompt", "x"};
    QTest::newRow("nothing") << QStringList{};
    QTest::newRow("unknown subcommand") << QStringList{"sing"};
    QTest::newRow("unknown option") << generate + QStringList{"--loud"};
    QTest::newRow("no model") << QStringList{"generate", "--prompt", "x"};
    QTest::newRow("no prompt") << QStringList{"generate", "--model", tiny_model()};
    QTest::newRow("no value") << QStringList{"generate", "--model"};
    QTest::newRow("device") << generate + QStringList{"--device", "tpu"};
    QTest::newRow("dtype") << generate + QStringList{"--dtype", "f64"};
    QTest::newRow("threads") << generate + QStringList{"--threads", "-1"};
    QTest::newRow("tokens") << generate + QStringList{"--max-tokens", "0"};
    QTest::newRow("number") << generate + QStringList{"--max-tokens", "many"};
    QTest::newRow("temperature") << generate + QStringList{"--temperature", "-1"};
    QTest::newRow("top-k") << generate + QStringList{"--top-k", "-1"};
    QTest::newRow("penalty") << generate + QStringList{"--repetition-penalty", "0"};
    QTest::newRow("no number") << generate + QStringList{"--temperature", ""};
    QTest::newRow("no rise") << generate + QStringList{"--pop-profile", "p.json", "--pop-max-loss", ""};
    QTest::newRow("top-p") << generate + QStringList{"--top-p", "1.5"};
    QTest::newRow("chunk") << generate + QStringList{"--prefill-chunk", "0"};
    QTest::newRow("seed") << generate + QStringList{"--seed", "-1"};
    QTest::newRow("image tokens") << generate + QStringList{"--max-image-tokens", "0"};
    QTest::newRow("gpu layers") << generate + QStringList{"--gpu-layers", "some"};
    QTest::newRow("depth") << generate + QStringList{"--pop-depth", "-2"};
    QTest::newRow("layers") << generate + QStringList{"--pop-layers", "3-x"};
    QTest::newRow("boundary") << generate + QStringList{"--pop-boundary", "0"};
    QTest::newRow("depth and layers") << generate + QStringList{"--pop-depth", "2", "--pop-layers", "3"};
    QTest::newRow("profile alone") << generate + QStringList{"--pop-profile", "p.json"};
    QTest::newRow("bos without raw") << generate + QStringList{"--bos"};
    QTest::newRow("raw and system") << generate + QStringList{"--raw-prompt", "--system", "s"};
    QTest::newRow("prompt and messages") << generate + QStringList{"--messages", "m.json"};
    QTest::newRow("runs") << QStringList{"compare", "--model", tiny_model(), "--prompt", "x", "--runs", "0"};
    QTest::newRow("no out") << QStringList{"logits", "--model", tiny_model(), "--prompt", "x"};
    QTest::newRow("no image") << QStringList{"pixels", "--model", tiny_model(), "--out", "x.npy"};
    QTest::newRow("tokenize nothing") << QStringList{"tokenize", "--model", tiny_model()};
    QTest::newRow("tokenize both") << QStringList{"tokenize", "--model", tiny_model(), "--prompt", "x", "--ids", "1"};
    QTest::newRow("tokenize ids") << QStringList{"tokenize", "--model", tiny_model(), "--ids", "1,x"};
    QTest::newRow("tokenize image") << QStringList{"tokenize", "--model", tiny_model(), "--prompt",
                                                   "x",        "--image", "a"};
    QTest::newRow("bench nothing") << QStringList{"bench"};
    QTest::newRow("bench both") << QStringList{"bench", "--shape", "qwen3-vl-2b", "--model", tiny_model()};
    for (const char* loss : {"nan", "inf"}) {
      QTest::newRow(QByteArray("loss ").append(loss).constData()) << QStringList{
          "generate", "--model", "m", "--prompt", "x", "--pop-profile", "p.json", "--pop-max-loss", loss};
    }
    for (const char* seed : {"-1", "1.5", "18446744073709551616"}) {
      QTest::newRow(QByteArray("seed ").append(seed).constData())
          << QStringList{"generate", "--model", "m", "--prompt", "x", "--seed", seed};
    }
    QTest::newRow("bench shape") << QStringList{"bench", "--shape", "gpt-5"};
    QTest::newRow("score of no answer") << QStringList{"eval", "--model",  tiny_model(), "--data",
                                                       "x",    "--depths", "1",          "--methods",
                                                       "full", "--score",  "exact",      "--loss-only"};
    QTest::newRow("bench layers") << QStringList{"bench", "--shape", "qwen3-vl-2b", "--layers", "0"};
    QTest::newRow("bench depths") << QStringList{"bench", "--shape", "qwen3-vl-2b", "--depths", "1,a"};
  }
  void wrong_usage() {
    QFETCH(QStringList, arguments);
    const CliRun run = run_cli(arguments);
    QCOMPARE(run.status, 2);
    QVERIFY(run.out.isEmpty());
    QVERIFY(!run.err.isEmpty());
    for (const QByteArray& line : run.err.split('\n')) QVERIFY2(line.size() < 200, line.constData());
  }

  void refused_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("named");
    const QString picture = data_path("pictures/scene.png");
    const QString text_file = tiny_model() + "/config.json";
    const auto ask = [](const QStringList& rest) { return QStringList{"generate", "--model", tiny_model()} + rest; };
    QTest::newRow("no such model") << QStringList{"generate", "--model", "/no/such", "--prompt", "x"}
                                   << QByteArray("/no/such");
    QTest::newRow("no such name") << QStringList{"generate", "--model", "demo-nothing", "--prompt", "x"}
                                  << QByteArray("demo-nothing");
    QTest::newRow("a file as model") << QStringList{"inspect", text_file} << QByteArray("config.json");
    QTest::newRow("no config") << QStringList{"inspect", POPLENS_TEST_DATA} << QByteArray("config.json");
    QTest::newRow("gguf") << QStringList{"generate", "--model", "m.gguf", "--prompt", "x"} << QByteArray("GGUF");
    QTest::newRow("mmproj") << ask({"--prompt", "x", "--mmproj", "p.gguf"}) << QByteArray("GGUF");
    QTest::newRow("cuda") << ask({"--prompt", "x", "--device", "cuda"}) << QByteArray("cuda");
    QTest::newRow("gpu layers") << ask({"--prompt", "x", "--gpu-layers", "3"}) << QByteArray("--gpu-layers 3");
    QTest::newRow("empty prompt") << ask({"--prompt", ""}) << QByteArray("empty");
    QTest::newRow("no such image") << ask({"--prompt", "x", "--image", "/no/a.png"}) << QByteArray("/no/a.png");
    QTest::newRow("folder as image") << ask({"--prompt", "x", "--image", "/usr"}) << QByteArray("/usr");
    QTest::newRow("text as image") << ask({"--prompt", "x", "--image", text_file}) << QByteArray("config.json");
    QTest::newRow("no such messages") << ask({"--messages", "/no/m.json"}) << QByteArray("/no/m.json");
    QTest::newRow("text as messages") << ask({"--messages", picture}) << QByteArray("scene.png");
    QTest::newRow("too deep") << ask({"--prompt", "x", "--pop-depth", "9"}) << QByteArray("depth 9");
    QTest::newRow("no such layer") << ask({"--prompt", "x", "--pop-layers", "2,8"}) << QByteArray("layer 8");
    QTest::newRow("profile") << ask({"--prompt", "x", "--pop-profile", "p.json", "--pop-max-loss", "0.1"})
                             << QByteArray("p.json");
    QTest::newRow("too long") << ask({"--prompt", QString("word ").repeated(5000)}) << QByteArray("context");
    QTest::newRow("raw without placeholder")
        << ask({"--raw-prompt", "--prompt", "x", "--image", picture}) << QByteArray("placeholder");
    QTest::newRow("unwritable") << QStringList{"logits", "--model", tiny_model(), "--prompt", "x", "--out", "/no/x.npy"}
                                << QByteArray("/no/x.npy");
    QTest::newRow("pan and scan") << QStringList{"pixels", "--model",        tiny_model(), "--image",
                                                 picture,  "--pan-and-scan", "--out",      "/no/x.npy"}
                                  << QByteArray("pan and scan");
    QTest::newRow("no such token") << QStringList{"tokenize", "--model", tiny_model(), "--ids", "1,999999"}
                                   << QByteArray("999999");
    QTest::newRow("no bos") << QStringList{"tokenize", "--model", "/no", "--prompt", "x", "--bos"} << QByteArray("/no");
    QTest::newRow("layers") << QStringList{"bench", "--model", tiny_model(), "--layers", "9"}
                            << QByteArray("--layers 9");
    QTest::newRow("depths") << QStringList{"bench", "--model", tiny_model(), "--depths", "9"} << QByteArray("depth 9");
    QTest::newRow("no pictures") << QStringList{"bench", "--shape", "llama-3.1-8b", "--image-tokens", "4"}
                                 << QByteArray("llama-3.1-8b");
    QTest::newRow("memory") << QStringList{"bench", "--shape", "qwen3-vl-32b", "--prompt-tokens", "200000"}
                            << QByteArray("not enough memory");
  }
  void refused() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, named);
    for (const QStringList& json : {QStringList{}, QStringList{"--json"}}) {
      const CliRun run = run_cli(arguments + json);
      QVERIFY2(run.failed_with_one_line(), run.err.constData());
      QVERIFY2(run.err.contains(named), run.err.constData());
    }
  }

  void damaged_weights() {
    const QTemporaryDir folder;
    for (const char* name : {"config.json", "tokenizer.json", "tokenizer_config.json", "preprocessor_config.json"}) {
      QVERIFY(QFile::copy(tiny_model() + "/" + name, folder.filePath(name)));
    }
    const QStringList arguments{"generate", "--model", folder.path(), "--prompt", "x"};
    const CliRun missing = run_cli(arguments);
    QVERIFY(missing.failed_with_one_line());
    QVERIFY2(missing.err.contains("safetensors"), missing.err.constData());

    QFile whole(tiny_model() + "/model.safetensors");
    QVERIFY(whole.open(QIODevice::ReadOnly));
    QByteArray bytes = whole.readAll();
    QVERIFY(write_file(folder.filePath("model.safetensors"), bytes.chopped(100)));
    const CliRun cut = run_cli(arguments);
    QVERIFY(cut.failed_with_one_line());
    QVERIFY2(cut.err.contains("model.safetensors"), cut.err.constData());

    bytes.replace("\"BF16\"", "\"I16\" ");
    QVERIFY(write_file(folder.filePath("model.safetensors"), bytes));
    const CliRun dtype = run_cli(arguments);
    QVERIFY(dtype.failed_with_one_line());
    QVERIFY2(dtype.err.contains("dtype"), dtype.err.constData());
  }

  void bundled_names() {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("POPLENS_MODELS", data_path("qwen3_vl"));
    const CliRun run = run_cli({"inspect", "tiny-untied", "--json"}, {}, environment);
    QCOMPARE(run.status, 0);
    QCOMPARE(run.json()["layers"].toInt(), 9);
  }

  void output_that_cannot_be_written() {
    QProcess process;
    process.setStandardOutputFile("/dev/full");
    process.start(POPLENS_BINARY_DIR "/bin/poplens-cli", {"inspect", tiny_model(), "--json"});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 1);
    QCOMPARE(process.readAllStandardError().count('\n'), 1);
  }
};

QTEST_APPLESS_MAIN(TestCliUsage)
#include "tst_cli_usage.moc"
