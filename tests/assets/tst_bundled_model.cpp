#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QtTest>

namespace {

const QString kAssets = QStringLiteral(POPLENS_SOURCE_DIR "/assets/");
const QString kModel = kAssets + QStringLiteral("models/demo-qwen3-vl/");

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QJsonObject objectOf(const QString& path) {
  return QJsonDocument::fromJson(contentOf(path)).object();
}

/// The questions of a JSONL file, one object a line.
QList<QJsonObject> questionsOf(const QString& path) {
  QList<QJsonObject> questions;
  for (const QByteArray& line : contentOf(path).split('\n')) {
    if (!line.isEmpty()) {
      questions << QJsonDocument::fromJson(line).object();
    }
  }
  return questions;
}

}  // namespace

/// What the bundled model and the files beside it promise: size, layers,
/// template, evaluation set.
class BundledModelTest : public QObject {
  Q_OBJECT

 private slots:
  void folderFitsItsLimit();
  void configIsDeepAndComplete();
  void templateIsTheOriginal();
  void capitalsAndDigitsAreSingleTokens();
  void questionFilesAreWhole_data();
  void questionFilesAreWhole();
};

void BundledModelTest::folderFitsItsLimit() {
  const QStringList needed = {
      "README.md",         "chat_template.jinja",      "config.json",    "generation_config.json", "importance.json",
      "model.safetensors", "preprocessor_config.json", "tokenizer.json", "tokenizer_config.json"};
  const QFileInfoList files = QDir(kModel).entryInfoList(QDir::Files, QDir::Name);
  QStringList names;
  qint64 size_bytes = 0;
  for (const QFileInfo& file : files) {
    names << file.fileName();
    size_bytes += file.size();
  }
  QCOMPARE(names, needed);
  QVERIFY2(size_bytes <= 25'000'000, qPrintable(QString::number(size_bytes)));
}

void BundledModelTest::configIsDeepAndComplete() {
  const QJsonObject config = objectOf(kModel + "config.json");
  QCOMPARE(config["architectures"].toArray(), QJsonArray{"Qwen3VLForConditionalGeneration"});
  QCOMPARE(config["tie_word_embeddings"].toBool(), true);
  const QJsonObject text = config["text_config"].toObject();
  QVERIFY(text["num_hidden_layers"].toInt() >= 16);
  QCOMPARE(config["vision_config"].toObject()["deepstack_visual_indexes"].toArray().size(), 3);
  const QJsonObject vocabulary = objectOf(kModel + "tokenizer.json")["model"].toObject()["vocab"].toObject();
  const QJsonArray added = objectOf(kModel + "tokenizer.json")["added_tokens"].toArray();
  QCOMPARE(vocabulary.size() + added.size(), text["vocab_size"].toInt());
  for (const QJsonValue token : added) {
    if (token["content"].toString() == "<|image_pad|>") {
      QCOMPARE(token["id"].toInt(), config["image_token_id"].toInt());
    }
    if (token["content"].toString() == "<|im_end|>") {
      QCOMPARE(token["id"].toInt(), text["eos_token_id"].toInt());
    }
  }
}

void BundledModelTest::templateIsTheOriginal() {
  // Of Qwen3-VL's own chat_template.jinja; the exporter copies it byte for
  // byte.
  const QByteArray hash =
      QCryptographicHash::hash(contentOf(kModel + "chat_template.jinja"), QCryptographicHash::Sha256).toHex();
  QCOMPARE(hash, QByteArray("3636d0f0bd6bef02654cdffdc447b79cb2cef8ab02cc75267345946291a489e4"));
}

void BundledModelTest::capitalsAndDigitsAreSingleTokens() {
  const QJsonObject model = objectOf(kModel + "tokenizer.json")["model"].toObject();
  for (const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"; *letters != '\0'; ++letters) {
    QVERIFY(model["vocab"].toObject().contains(QString(QLatin1Char(*letters))));
  }
  // No merge may end in a capital or a digit: words are spelled and numbers
  // read digit by digit.
  for (const QJsonValue merge : model["merges"].toArray()) {
    const QString right = merge.isArray() ? merge[1].toString() : merge.toString().section(' ', 1);
    QVERIFY(!right.isEmpty());
    const char last = right.back().toLatin1();
    QVERIFY2(!(last >= 'A' && last <= 'Z') && !(last >= '0' && last <= '9'), qPrintable(right));
  }
}

void BundledModelTest::questionFilesAreWhole_data() {
  QTest::addColumn<QString>("path");
  QTest::addColumn<int>("least_questions");
  QTest::newRow("samples") << kAssets + "samples/samples.jsonl" << 8;
  QTest::newRow("evaluation") << kAssets + "evaluation/evaluation.jsonl" << 500;
}

void BundledModelTest::questionFilesAreWhole() {
  QFETCH(QString, path);
  QFETCH(int, least_questions);
  const QList<QJsonObject> questions = questionsOf(path);
  QVERIFY(questions.size() >= least_questions);
  for (const QJsonObject& question : questions) {
    QVERIFY(!question["prompt"].toString().isEmpty());
    QVERIFY(!question["answer"].toString().isEmpty());
    QVERIFY(!question["task"].toString().isEmpty());
    if (question.contains("image")) {
      const QString picture = QFileInfo(path).dir().filePath(question["image"].toString());
      QVERIFY2(contentOf(picture).startsWith("\x89PNG"), qPrintable(picture));
    }
  }
}

QTEST_APPLESS_MAIN(BundledModelTest)
#include "tst_bundled_model.moc"
