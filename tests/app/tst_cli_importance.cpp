// importance on a tiny checkpoint: the profile it writes, an interrupted run that goes on, and what it refuses.
#include <csignal>
#include <filesystem>

#include <QTemporaryDir>
#include <QTest>

#include "engine/pop/profile.h"
#include "tests/app/cli_program.h"

using namespace poplens::test;

namespace {

QByteArray lines(int count) {
  QByteArray text;
  for (int i = 0; i < count; ++i) {
    const QByteArray number = QByteArray::number(i);
    const QByteArray image = i % 3 == 0 ? "\"image\": \"shapes.png\", " : "";
    text += "{" + image + "\"prompt\": \"What is " + number + "?\", \"answer\": \"It is " + number + ".\"}\n";
  }
  return text;
}

class Folder {
 public:
  explicit Folder(int samples) {
    QFile::copy(QStringLiteral(POPLENS_SOURCE_DIR "/assets/samples/shapes.png"), folder_.filePath("shapes.png"));
    write_file(data(), lines(samples));
  }
  QString data() const { return folder_.filePath("data.jsonl"); }
  QString out(const QString& name = "profile.json") const { return folder_.filePath(name); }
  QStringList arguments(const QStringList& more, const QString& model = tiny_model()) const {
    return QStringList{"importance", "--model", model, "--data", data(), "--threads", "1"} + more;
  }

 private:
  QTemporaryDir folder_;
};

QByteArray content_of(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestCliImportance : public QObject {
  Q_OBJECT

 private slots:
  void the_profile() {
    const Folder folder(6);
    const CliRun run = run_cli(folder.arguments({"--samples", "4", "--ablation", "--out", folder.out(), "--json"}));
    QVERIFY2(run.status == 0, run.err.constData());
    const QJsonObject report = run.json();
    QCOMPARE(report["samples"].toInt(), 4);
    QVERIFY(report["answer_tokens"].toInt() > 8);
    QVERIFY(report["loss"].toDouble() > 0.0);
    QCOMPARE(report["labels"].toString(), QString("data"));
    const QJsonArray layers = report["layers"].toArray();
    QCOMPARE(layers.size(), 8);
    for (const QJsonValue layer : layers) {
      for (const char* stage : {"prefill", "decode", "prefill_text", "decode_text"}) {
        const QJsonObject figures = layer.toObject()[stage].toObject();
        for (const char* key :
             {"gradient", "fisher", "importance", "attention", "ffn", "ablation", "attention_fisher", "ffn_fisher"}) {
          QVERIFY2(figures[key].isDouble(), key);
        }
      }
    }
    // Nobody reads what the last layer puts out at prefill positions.
    const QJsonObject last = layers.last().toObject();
    QCOMPARE(last["prefill"].toObject()["importance"].toDouble(), 0.0);
    QCOMPARE(last["prefill"].toObject()["ablation"].toDouble(), 0.0);
    QVERIFY(last["decode"].toObject()["importance"].toDouble() != 0.0);
    QVERIFY(report["rank_correlation"].toObject()["decode"].isDouble());
    QCOMPARE(report["fisher_matrix"].toObject()["prefill_text"].toArray().size(), 8);

    const auto profile = poplens::read_profile(folder.out().toStdString());
    QVERIFY2(profile.ok(), profile.ok() ? "" : profile.error().message.c_str());
    QCOMPARE(profile->model.family, std::string("qwen3_vl"));
    QCOMPARE(profile->samples, 4);
    QVERIFY(!QFile::exists(folder.out() + ".partial"));
  }

  // The same profile chooses the plan, by the losses measured of the stage that the prompt has.
  void auto_chooses_by_the_profile() {
    const Folder folder(3);
    QCOMPARE(run_cli(folder.arguments({"--out", folder.out()})).status, 0);
    const auto ask = [&](const QString& model, const char* bound, const QStringList& more = {}) {
      return run_cli(QStringList{"generate", "--model", model, "--prompt", "Hello", "--max-tokens", "2", "--json",
                                 "--pop-profile", folder.out(), "--pop-max-loss", bound} +
                     more);
    };
    const auto depth = [&](const char* bound, const QStringList& more = {}) {
      const CliRun run = ask(tiny_model(), bound, more);
      return run.status == 0 ? run.json()["plan"].toObject()["layers"].toArray().size() : -1;
    };
    QCOMPARE(depth("1e9"), 8);
    QCOMPARE(ask(tiny_model(), "-1e9").status, 2);
    QCOMPARE(ask(tiny_model(), "1e400").status, 2);

    // Without a picture boundary `text` is the last position alone; the stages are told apart by what they cost.
    QJsonObject profile = QJsonDocument::fromJson(content_of(folder.out())).object();
    const QJsonObject measured = profile["suffix_rise"].toObject();
    QCOMPARE(measured["prefill"].toArray().size(), 8);
    QCOMPARE(measured["prefill_text"].toArray().size(), 8);
    profile["suffix_rise"] = QJsonObject{{"prefill", QJsonArray{0, 0, 0, 1e9, 0, 0, 0, 0}},
                                         {"prefill_text", QJsonArray{0, 0, 0, 0, 0, 1e9, 0, 0}}};
    write_file(folder.out(), QJsonDocument(profile).toJson());
    QCOMPARE(depth("1e8"), 3);
    const QStringList picture{"--image", QStringLiteral(POPLENS_SOURCE_DIR "/assets/samples/shapes.png")};
    QCOMPARE(depth("1e8", picture), 5);
    QCOMPARE(depth("1e8", picture + QStringList{"--pop-boundary", "last"}), 3);
    const QStringList plan{"--pop-profile", folder.out(), "--pop-max-loss", "1e8", "--prompt", "Hello"};
    const CliRun compared = run_cli(
        QStringList{"compare", "--model", tiny_model(), "--runs", "1", "--max-tokens", "1", "--json"} + plan + picture);
    QVERIFY2(compared.status == 0, compared.err.constData());
    QCOMPARE(compared.json()["pop"].toObject()["plan"].toObject()["layers"].toArray().size(), 5);
    const CliRun logits =
        run_cli(QStringList{"logits", "--model", tiny_model(), "--out", folder.out("logits.npy")} + plan + picture);
    QVERIFY2(logits.status == 0 && logits.err.contains("the last 5 layers"), logits.err.constData());

    // What nobody measured is not offered.
    profile["suffix_rise"] = QJsonObject{{"prefill_text", measured["prefill_text"]}};
    write_file(folder.out(), QJsonDocument(profile).toJson());
    QCOMPARE(depth("1e9", picture), 8);
    const CliRun unmeasured = ask(tiny_model(), "1e9");
    QVERIFY2(unmeasured.failed_with_one_line() && unmeasured.err.contains("suffix_rise"), unmeasured.err.constData());

    const CliRun other = ask(data_path("qwen3_vl/tiny-untied"), "1e9");
    QVERIFY(other.failed_with_one_line() && other.err.contains("measured on another model"));
  }

  void text_for_people_and_labels_of_the_model() {
    const Folder folder(2);
    const QStringList more{"--labels", "model", "--seed", "5", "--out", folder.out()};
    const CliRun run = run_cli(folder.arguments(more));
    QVERIFY2(run.status == 0, run.err.constData());
    QVERIFY(run.out.contains("boundary text") && run.err.isEmpty());
    const QByteArray first = content_of(folder.out());
    QCOMPARE(run_cli(folder.arguments(more)).status, 0);
    QCOMPARE(content_of(folder.out()), first);
    QVERIFY(run_cli(folder.arguments({"--out", folder.out("data.json")})).status == 0);
    QVERIFY(content_of(folder.out("data.json")) != first);
  }

  // The fingerprint knows the values, not the files they lie in: two tiny models are two models.
  void fingerprints() {
    const Folder folder(1);
    for (const char* model : {"llama/tiny-tied", "llama/tiny-untied"}) {
      const QStringList arguments = folder.arguments({"--samples", "1", "--out", folder.out()}, data_path(model));
      write_file(folder.data(), R"({"prompt": "Say it", "answer": "it"})");
      QCOMPARE(run_cli(arguments).status, 0);
      const auto profile = poplens::read_profile(folder.out().toStdString());
      QVERIFY(profile.ok());
      QCOMPARE(profile->model.layers, QString(model).contains("untied") ? 8 : 9);
      QCOMPARE(profile->model.weights.size(), size_t{64});
    }
  }

  void an_interrupted_run_goes_on() {
    constexpr int kSamples = 100;
    const Folder folder(kSamples);
    QCOMPARE(run_cli(folder.arguments({"--out", folder.out("whole.json")})).status, 0);

    QProcess process;
    process.start(QStringLiteral(POPLENS_BINARY_DIR "/bin/poplens-cli"), folder.arguments({"--out", folder.out()}));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder.out() + ".partial"), 60'000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 1);
    const QByteArray message = process.readAllStandardError();
    QVERIFY2(message.contains("stopped after") && message.count('\n') == 1, message.constData());
    QVERIFY(!QFile::exists(folder.out()));

    const CliRun other = run_cli(folder.arguments({"--out", folder.out(), "--labels", "model"}));
    QVERIFY(other.failed_with_one_line() && other.err.contains("profile.json.partial"));
    const CliRun rest = run_cli(folder.arguments({"--out", folder.out(), "--json"}));
    QVERIFY2(rest.status == 0, rest.err.constData());
    QVERIFY(rest.json()["resumed_samples"].toInt() > 0);
    QCOMPARE(content_of(folder.out()), content_of(folder.out("whole.json")));
    QVERIFY(!QFile::exists(folder.out() + ".partial"));
  }

  void failures() {
    const Folder folder(1);
    const auto fails = [&](const QByteArray& data, const QString& out, const char* reason) {
      write_file(folder.data(), data);
      const CliRun run = run_cli(folder.arguments({"--out", out}));
      QVERIFY2(run.failed_with_one_line() && run.err.contains(reason), run.err.constData());
    };
    fails(lines(1), folder.out("no/such/folder.json"), "folder.json");
    fails(R"({"prompt": "a"})", folder.out(), "line 1");
    fails(R"({"prompt": "a", "answer": "b", "image": "none.png"})", folder.out(), "none.png");
    const QByteArray long_answer(60'000, 'x');
    fails("{\"prompt\": \"a\", \"answer\": \"" + long_answer + "\"}", folder.out(), "context");
    fails(lines(1), folder.data(), "take the place of the questions");
    QCOMPARE(content_of(folder.data()), lines(1));
    write_file(folder.out() + ".partial", "");
    fails(lines(1), folder.out(), "remove it");
    write_file(folder.out() + ".partial", "{\"notes\": 1}");
    fails(lines(1), folder.out(), "not what an interrupted measurement leaves");
    write_file(folder.out() + ".partial", "{");
    fails(lines(1), folder.out(), ".partial");
    QCOMPARE(run_cli(folder.arguments({"--out", folder.out(), "--dtype", "bf16"})).status, 2);
    QCOMPARE(run_cli(folder.arguments({"--out", folder.out(), "--labels", "mine"})).status, 2);
    QCOMPARE(run_cli(folder.arguments({})).status, 2);
  }
};

QTEST_GUILESS_MAIN(TestCliImportance)
#include "tst_cli_importance.moc"
