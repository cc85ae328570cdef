// logits and pixels: the files against the library and against golden values.
#include <QTemporaryDir>
#include <QTest>

#include "app/cli/npy.h"
#include "app/cli/open_session.h"
#include "app/cli/request.h"
#include "tests/app/cli_program.h"
#include "vision/picture_encoder.h"

using namespace poplens;
using namespace poplens::test;

namespace {

// The values of a file that has exactly this shape; empty otherwise.
std::vector<float> read_npy(const QString& path, const std::vector<int64_t>& shape) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  const QByteArray content = file.readAll();
  const std::string header = cli::npy_header(shape);
  int64_t count = 1;
  for (const int64_t side : shape) count *= side;
  if (!content.startsWith(QByteArray::fromStdString(header))) return {};
  if (content.size() != qsizetype(header.size()) + 4 * count) return {};
  std::vector<float> values(static_cast<size_t>(count));
  std::memcpy(values.data(), content.data() + header.size(), values.size() * sizeof(float));
  return values;
}

std::vector<int64_t> numbers(const QJsonValue& list) {
  std::vector<int64_t> values;
  for (const QJsonValue value : list.toArray()) values.push_back(value.toInteger());
  return values;
}

}  // namespace

class TestCliTensors : public QObject {
  Q_OBJECT

 private slots:
  void logits_data() {
    QTest::addColumn<QStringList>("plan");
    QTest::addColumn<int>("rows");  // 0: all
    QTest::newRow("full") << QStringList{} << 0;
    QTest::newRow("last") << QStringList{"--pop-depth", "3", "--pop-boundary", "last"} << 1;
    QTest::newRow("five") << QStringList{"--pop-layers", "2,5-7", "--pop-boundary", "5"} << 5;
  }
  void logits() {
    QFETCH(QStringList, plan);
    QFETCH(int, rows);
    const QTemporaryDir folder;
    const QString path = folder.filePath("logits.npy");
    const QString picture = data_path("pictures/scene.png");
    const CliRun run =
        run_cli(QStringList{"logits", "--model", tiny_model(), "--dtype", "f32", "--image", picture, "--prompt",
                            "What is in this picture?", "--out", path, "--json", "--prefill-chunk", "7"} +
                plan);
    QVERIFY2(run.status == 0, run.err.constData());
    const QJsonObject report = run.json();
    const QJsonObject golden = golden_case(tiny_model(), "one_image");
    QCOMPARE(report["prompt_ids"], golden["ids"]);
    const auto tokens = static_cast<int64_t>(golden["ids"].toArray().size());
    const std::vector<int64_t> shape{rows > 0 ? rows : tokens, 384};
    QCOMPARE(numbers(report["shape"]), shape);
    std::vector<int64_t> positions;
    for (int64_t row = tokens - shape[0]; row < tokens; ++row) positions.push_back(row);
    QCOMPARE(numbers(report["rows"]), positions);

    cli::CommonOptions common{.model = tiny_model().toStdString(), .dtype = DType::f32};
    auto open = cli::open_session(common);
    QVERIFY2(open.ok(), open.ok() ? "" : open.error().message.c_str());
    const auto request = cli::make_request({.prompt = "What is in this picture?", .images = {picture.toStdString()}});
    QVERIFY(request.ok());
    PopPlan pop;
    if (rows == 1) pop = *PopPlan::suffix(8, 3, {Boundary::Kind::last, 1});
    if (rows == 5) pop = *PopPlan::of_layers(8, {2, 5, 6, 7}, {Boundary::Kind::count, 5});
    const auto expected = open->session->logits(*request, pop);
    QVERIFY2(expected.ok(), expected.ok() ? "" : expected.error().message.c_str());
    const std::vector<float> values = read_npy(path, shape);
    QCOMPARE(values.size(), expected->values.size());
    float largest = 0.0F;
    for (size_t i = 0; i < values.size(); ++i) largest = std::max(largest, std::abs(values[i] - expected->values[i]));
    QVERIFY(largest < 1e-3F);

    const QJsonArray top = report["top"].toArray();
    QCOMPARE(top.size(), 5);
    const auto last = std::span(values).last(384);
    QCOMPARE(top[0].toObject()["id"].toInt(), int(std::max_element(last.begin(), last.end()) - last.begin()));
    double before = 0.0;
    for (const QJsonValue token : top) {
      QVERIFY(token.toObject()["logprob"].toDouble() <= before);
      before = token.toObject()["logprob"].toDouble();
      QVERIFY(token.toObject()["text"].isString());
    }
  }

  void raw_logits() {
    const QTemporaryDir folder;
    const CliRun run = run_cli({"logits", "--model", tiny_model(), "--raw-prompt", "--prompt", "<|im_start|>ab",
                                "--out", folder.filePath("l.npy"), "--json"});
    QVERIFY2(run.status == 0, run.err.constData());
    QCOMPARE(run.json()["prompt_ids"].toArray()[0].toInt(), 347);
    QCOMPARE(run.json()["rows"].toArray().size(), run.json()["prompt_ids"].toArray().size());
  }

  void pixels_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("most");
    for (const char* name : {"scene.png", "odd.png", "tall.png", "large.png"}) QTest::newRow(name) << name << 0;
    QTest::newRow("fewer") << "large.png" << 40;
  }
  void pixels() {
    QFETCH(QString, name);
    QFETCH(int, most);
    const QTemporaryDir folder;
    const QString path = folder.filePath("pixels.npy");
    const QString file = data_path("pictures/" + name);
    QStringList arguments{"pixels", "--model", tiny_model(), "--image", file, "--out", path, "--json"};
    if (most > 0) arguments += {"--max-image-tokens", QString::number(most)};
    const CliRun run = run_cli(arguments);
    QVERIFY2(run.status == 0, run.err.constData());
    const std::vector<int64_t> grid = numbers(run.json()["grid"]);
    QCOMPARE(grid.size(), size_t{3});
    QCOMPARE(grid[0], int64_t{1});
    const int64_t patches = grid[1] * grid[2];
    QCOMPARE(numbers(run.json()["shape"]), (std::vector<int64_t>{patches, 1536}));
    QCOMPARE(run.json()["soft_tokens"].toInteger(), patches / 4);
    if (most > 0) QVERIFY(patches / 4 <= most);

    const std::filesystem::path model = tiny_model().toStdString();
    const auto config = read_model_config(model);
    const auto picture = cli::read_picture(file.toStdString());
    QVERIFY(config.ok() && picture.ok());
    const auto expected =
        read_picture_pixels(model, *config, *picture, most > 0 ? std::optional<int>(most) : std::nullopt);
    QVERIFY(expected.ok());
    QVERIFY(read_npy(path, {patches, 1536}) == expected->values);
  }
};

QTEST_APPLESS_MAIN(TestCliTensors)
#include "tst_cli_tensors.moc"
