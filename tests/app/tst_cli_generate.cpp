// generate and compare: golden answers, keys, streaming, seeds, plans, conversations.
#include <cmath>

#include <QTemporaryDir>
#include <QTest>

#include "tests/app/cli_program.h"

using namespace poplens::test;

namespace {

const QStringList kStages{"image_decode", "preprocess", "vision", "prefill", "boundary", "first_token"};

QStringList generate(const QStringList& rest) {
  return QStringList{"generate", "--model", tiny_model(), "--dtype", "f32", "--threads", "2"} + rest;
}

// The exact mode, greedy, as the golden answers were made.
QStringList exact(const QStringList& rest) {
  return generate(QStringList{"--temperature", "0", "--max-tokens", "32", "--json"} + rest);
}

QString picture(const QString& name) {
  return data_path("pictures/" + name);
}

// A golden conversation as a --messages file, its pictures by absolute path.
QByteArray messages_json(const QJsonArray& golden) {
  QJsonArray messages = golden;
  for (QJsonValueRef message : messages) {
    QJsonObject turn = message.toObject();
    if (turn["content"].isArray()) {
      QJsonArray parts = turn["content"].toArray();
      for (QJsonValueRef part : parts) {
        QJsonObject object = part.toObject();
        if (object["type"] == "image") object["image"] = picture(object["image"].toString());
        part = object;
      }
      turn["content"] = parts;
    }
    message = turn;
  }
  return QJsonDocument(messages).toJson();
}

void verify_answer_keys(const QJsonObject& answer) {
  for (const char* key : {"text", "finish_reason", "device"}) QVERIFY2(answer[key].isString(), key);
  for (const char* key : {"prompt_tokens", "image_tokens", "ttft_ms", "decode_tokens_per_s", "peak_memory_bytes"}) {
    QVERIFY2(answer[key].isDouble(), key);
  }
  QVERIFY(answer["tokens"].isArray());
  QVERIFY(answer["plan"].toObject()["layers"].isArray());
  QVERIFY(answer["plan"].toObject()["boundary"].isString());
  for (const QString& stage : kStages) QVERIFY(answer["stages_ms"].toObject()[stage].isDouble());
  QVERIFY(answer["ttft_ms"].toDouble() > 0.0);
}

// The only entry of a file that measured speeds are kept in.
QJsonObject only_speed_in(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  const QJsonObject models = QJsonDocument::fromJson(file.readAll()).object();
  return models.count() == 1 ? models.begin()->toObject() : QJsonObject();
}

void verify_near(const QJsonValue& value, double expected) {
  QVERIFY2(value.toDouble() > 0.0 && std::abs(value.toDouble() - expected) <= 1e-9 * expected,
           qPrintable(QString("%1 is not %2").arg(value.toDouble()).arg(expected)));
}

}  // namespace

class TestCliGenerate : public QObject {
  Q_OBJECT

 private slots:
  void golden_answers_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"text_only", "typed_special", "one_image", "two_images", "tall_image", "second_turn"}) {
      QTest::newRow(name) << name;
    }
  }
  void golden_answers() {
    QFETCH(QString, name);
    const QJsonObject golden = golden_case(tiny_model(), name);
    const QTemporaryDir folder;
    const QString path = folder.filePath("talk.json");
    QVERIFY(write_file(path, messages_json(golden["messages"].toArray())));
    const CliRun run = run_cli(exact({"--messages", path}));
    QVERIFY2(run.status == 0, run.err.constData());
    const QJsonObject answer = run.json();
    verify_answer_keys(answer);
    QCOMPARE(answer["tokens"], golden["greedy"].toObject()["tokens"]);
    QCOMPARE(answer["prompt_tokens"].toInt(), golden["ids"].toArray().size());
    QCOMPARE(answer["finish_reason"].toString(), "length");
    QCOMPARE(answer["plan"].toObject()["layers"].toArray().size(), 0);
  }

  void prompt_and_image() {
    const CliRun run = run_cli(exact({"--image", picture("scene.png"), "--prompt", "What is in this picture?"}));
    const QJsonObject golden = golden_case(tiny_model(), "one_image");
    QCOMPARE(run.json()["tokens"], golden["greedy"].toObject()["tokens"]);
    const QJsonArray grid = golden["image_grids"].toArray()[0].toArray();
    QCOMPARE(run.json()["image_tokens"].toInt(), grid[1].toInt() * grid[2].toInt() / 4);
    QVERIFY(run.json()["stages_ms"].toObject()["vision"].toDouble() > 0.0);
  }

  void system_prompt() {
    const QJsonObject golden = golden_case(tiny_model(), "text_only");
    const QString question = golden["messages"].toArray()[1].toObject()["content"].toString();
    const CliRun run = run_cli(exact({"--system", "Be brief.", "--prompt", question}));
    QCOMPARE(run.json()["tokens"], golden["greedy"].toObject()["tokens"]);
  }

  void chunks_of_any_size() {
    const QJsonValue tokens = golden_case(tiny_model(), "one_image")["greedy"].toObject()["tokens"];
    for (const char* chunk : {"1", "7", "1000"}) {
      const CliRun run = run_cli(
          exact({"--image", picture("scene.png"), "--prompt", "What is in this picture?", "--prefill-chunk", chunk}));
      QCOMPARE(run.json()["tokens"], tokens);
    }
  }

  void pictures_left_to_the_option() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("talk.json");
    QVERIFY(write_file(path, R"([{"role": "user", "content": [{"type": "image"},
                                  {"type": "text", "text": "What is in this picture?"}]}])"));
    const CliRun run = run_cli(exact({"--messages", path, "--image", picture("scene.png")}));
    QCOMPARE(run.json()["tokens"], golden_case(tiny_model(), "one_image")["greedy"].toObject()["tokens"]);
    QVERIFY(QFile::copy(picture("scene.png"), folder.filePath("beside.png")));
    QVERIFY(write_file(path, R"([{"role": "user", "content": [{"type": "image", "image": "beside.png"},
                                  "What is in this picture?"]}])"));
    QCOMPARE(run_cli(exact({"--messages", path})).json()["tokens"], run.json()["tokens"]);
  }

  void raw_prompts() {
    const QString rendered =
        "<|im_start|>user\n<|vision_start|><|image_pad|><|vision_end|>What is in this picture?<|im_end|>\n"
        "<|im_start|>assistant\n";
    const CliRun run = run_cli(exact({"--raw-prompt", "--prompt", rendered, "--image", picture("scene.png")}));
    QVERIFY2(run.status == 0, run.err.constData());
    QCOMPARE(run.json()["tokens"], golden_case(tiny_model(), "one_image")["greedy"].toObject()["tokens"]);
  }

  void text_that_looks_like_options_or_lists() {
    for (const char* text : {"--image", "-x", "[a,b]", "{}", "%s", "a=b", "'quoted'"}) {
      const CliRun run = run_cli({"tokenize", "--model", tiny_model(), "--prompt", text, "--json"});
      QVERIFY2(run.status == 0, run.err.constData());
      QCOMPARE(run.json()["text"].toString(), text);
    }
  }

  void plans_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QJsonArray>("layers");
    QTest::addColumn<QString>("boundary");
    QTest::addColumn<int>("full_rows");  // through the last layer
    QTest::newRow("suffix, text") << QStringList{"--pop-depth", "3"} << QJsonArray{5, 6, 7} << "text" << 0;
    QTest::newRow("suffix, last") << QStringList{"--pop-depth", "3", "--pop-boundary", "last"} << QJsonArray{5, 6, 7}
                                  << "last" << 1;
    QTest::newRow("set, 5") << QStringList{"--pop-layers", "1,4,7", "--pop-boundary", "5"} << QJsonArray{1, 4, 7} << "5"
                            << 5;
    QTest::newRow("paper") << QStringList{"--pop-depth",        "3",
                                          "--pop-boundary",     "last",
                                          "--pop-per-layer-kv", "--pop-separate-boundary"}
                           << QJsonArray{5, 6, 7} << "last" << 1;
  }
  void plans() {
    QFETCH(QStringList, options);
    QFETCH(QJsonArray, layers);
    QFETCH(QString, boundary);
    QFETCH(int, full_rows);
    const CliRun run =
        run_cli(exact(QStringList{"--image", picture("scene.png"), "--prompt", "What is in this picture?"} + options));
    QVERIFY2(run.status == 0, run.err.constData());
    const QJsonObject answer = run.json();
    verify_answer_keys(answer);
    QCOMPARE(answer["plan"].toObject()["layers"].toArray(), layers);
    QCOMPARE(answer["plan"].toObject()["boundary"].toString(), boundary);
    const int rows = answer["layer_rows"].toObject()["full"].toArray()[layers.first().toInt()].toInt();
    if (full_rows > 0) {
      QCOMPARE(rows, full_rows);
      QCOMPARE(answer["boundary_tokens"].toInt(), full_rows);
    } else {
      QVERIFY(answer["boundary_tokens"].toInt() > 5);
      QVERIFY(answer["boundary_tokens"].toInt() < answer["prompt_tokens"].toInt());
    }
    int found = 0;
    for (const QJsonValue entry : golden_case(tiny_model(), "one_image")["pop"].toArray()) {
      const QJsonObject pop = entry.toObject();
      if (pop["pruned_layers"].toArray() != layers || pop["boundary"].toString() != boundary) continue;
      QCOMPARE(answer["tokens"], pop["greedy"].toObject()["tokens"]);
      ++found;
    }
    QCOMPARE(found, 1);
  }

  void streamed_text_is_the_answer() {
    const QStringList question{"--prompt", "What does it say?", "--max-tokens", "48", "--seed", "3"};
    const CliRun streamed = run_cli(generate(question));
    QCOMPARE(streamed.status, 0);
    QVERIFY2(streamed.err.isEmpty(), streamed.err.constData());
    const CliRun whole = run_cli(generate(question + QStringList{"--json"}));
    QCOMPARE(QString::fromUtf8(streamed.out), whole.json()["text"].toString() + "\n");
  }

  void seeds() {
    const auto sample = [](const char* seed) -> QJsonValue {
      return run_cli(generate({"--prompt", "Say something.", "--temperature", "3", "--top-k", "0", "--top-p", "1",
                               "--max-tokens", "24", "--json", "--seed", seed}))
          .json()["tokens"];
    };
    const QJsonValue first = sample("1");
    QVERIFY(!first.toArray().isEmpty());
    QCOMPARE(sample("1"), first);
    QVERIFY(sample("2") != first);
  }

  void stop_strings() {
    const QString text = run_cli(exact({"--prompt", "Hello"})).json()["text"].toString();
    const QString stop = text.mid(text.size() / 2, 2);
    const CliRun run = run_cli(exact({"--prompt", "Hello", "--stop", stop, "--stop", "never to be seen"}));
    QCOMPARE(run.json()["finish_reason"].toString(), "stop");
    QCOMPARE(run.json()["text"].toString(), text.left(text.indexOf(stop)));
  }

  void image_token_limit() {
    const CliRun run = run_cli(exact({"--image", picture("large.png"), "--prompt", "x", "--max-image-tokens", "40"}));
    QVERIFY(run.json()["image_tokens"].toInt() <= 40);
    QVERIFY(run.json()["image_tokens"].toInt() > 20);
  }

  void interrupted() {
    QProcess process;
    process.start(POPLENS_BINARY_DIR "/bin/poplens-cli",
                  generate({"--prompt", "Hello", "--temperature", "3", "--max-tokens", "3500"}));
    QVERIFY(process.waitForReadyRead(60'000));
    process.terminate();
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QVERIFY(process.exitCode() == 0);
    QVERIFY(process.readAllStandardError().isEmpty());
    QVERIFY(process.readAllStandardOutput().endsWith('\n'));
  }

  void comparison() {
    const QStringList question{"compare",
                               "--model",
                               tiny_model(),
                               "--dtype",
                               "f32",
                               "--image",
                               picture("scene.png"),
                               "--prompt",
                               "What is in this picture?",
                               "--temperature",
                               "0",
                               "--max-tokens",
                               "32"};
    const QTemporaryDir cache;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("XDG_CACHE_HOME", cache.path());
    const CliRun run = run_cli(question + QStringList{"--json", "--runs", "2"}, {}, environment);
    QVERIFY2(run.status == 0, run.err.constData());
    const QJsonObject report = run.json();
    const QJsonObject predicted = report["predicted_ttft_ms"].toObject();
    QVERIFY(predicted["full"].toDouble() > 0.0 && predicted["pop"].toDouble() > 0.0);
    QVERIFY(QFile::exists(cache.filePath("poplens/speed.json")));
    // Kept: what was calibrated, and beside it what each side was told and took.
    const QJsonObject kept = only_speed_in(cache.filePath("poplens/speed.json"));
    const auto took = [&](const char* what, int side) { return kept[what].toArray().at(side).toArray(); };
    QCOMPARE(kept["prefill_took"].toArray().size(), 2);
    QCOMPARE(kept["vision_took"].toArray().size(), 2);
    for (const auto& [side, name] : {std::pair{0, "full"}, std::pair{1, "pop"}}) {
      const QJsonObject stages = report[name].toObject()["stages_ms"].toObject();
      verify_near(took("prefill_took", side)[1], stages["prefill"].toDouble() + stages["boundary"].toDouble());
      verify_near(took("vision_took", side)[1], stages["vision"].toDouble());
      const double told = took("prefill_took", side)[0].toDouble() + took("vision_took", side)[0].toDouble();
      verify_near(predicted[name], told + kept["first_token"].toDouble());
    }
    QVERIFY(run_cli(question + QStringList{"--json", "--runs", "1"}, {}, environment).status == 0);
    const QJsonObject later = only_speed_in(cache.filePath("poplens/speed.json"));
    QCOMPARE(later["layer"], kept["layer"]);
    QCOMPARE(later["prefill_took"].toArray().size(), 4);
    const QJsonObject full = report["full"].toObject();
    const QJsonObject pop = report["pop"].toObject();
    verify_answer_keys(full);
    verify_answer_keys(pop);
    QCOMPARE(full["tokens"], golden_case(tiny_model(), "one_image")["greedy"].toObject()["tokens"]);
    QCOMPARE(full["plan"].toObject()["layers"].toArray().size(), 0);
    QCOMPARE(pop["plan"].toObject()["layers"].toArray(), (QJsonArray{6, 7}));  // a third of 8
    QCOMPARE(pop["plan"].toObject()["boundary"].toString(), "text");
    QVERIFY(report["ttft_ratio"].toDouble() > 0.0);
    QVERIFY(report["prefill_ratio"].toDouble() > 0.0);
    QVERIFY(report["first_token_kl"].toDouble() >= 0.0);
    QVERIFY(report.contains("first_divergence"));
    QCOMPARE(report["first_divergence"].isNull(), full["tokens"] == pop["tokens"]);
    QCOMPARE(report["runs"].toArray().size(), 2);
    for (const QJsonValue entry : report["runs"].toArray()) {
      for (const char* side : {"full", "pop"}) {
        const QJsonObject times = entry.toObject()[side].toObject();
        QVERIFY(times["ttft_ms"].toDouble() > 0.0);
        for (const QString& stage : kStages) QVERIFY(times["stages_ms"].toObject()[stage].isDouble());
      }
    }

    const CliRun text = run_cli(question + QStringList{"--runs", "1", "--pop-depth", "0"});
    QVERIFY2(text.status == 0, text.err.constData());
    QVERIFY(text.out.contains(full["text"].toString().toUtf8()));
    QVERIFY(text.out.contains("the answers are the same"));
    QVERIFY(text.out.contains("TTFT ratio"));
  }

  void the_same_plan_differs_in_nothing() {
    const CliRun run = run_cli({"compare", "--model", tiny_model(), "--dtype", "f32", "--prompt", "Hello",
                                "--pop-depth", "0", "--max-tokens", "8", "--runs", "1", "--json"});
    QVERIFY(run.json()["first_divergence"].isNull());
    QCOMPARE(run.json()["first_token_kl"].toDouble(), 0.0);
  }
};

QTEST_APPLESS_MAIN(TestCliGenerate)
#include "tst_cli_generate.moc"
