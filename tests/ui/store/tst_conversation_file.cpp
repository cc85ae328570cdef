// Exported conversations: nothing lost, pictures found again from the Markdown's links, refusals in a sentence.
#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include "ui/store/conversation_file.h"

using namespace poplens::ui;

namespace {

constexpr auto kOddTitle = "A/B: \"50 %\"?\n<*#1*> – ñ";

QByteArray png_of(Qt::GlobalColor color) {
  QImage image(4, 4, QImage::Format_RGB32);
  image.fill(color);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes;
}

SentPicture picture(const QString& hash, const QString& name) {
  SentPicture value;
  value.hash = hash;
  value.name = name;
  value.size = {4032, 3024};
  value.modelSize = {1536, 1152};
  value.tokens = 1728;
  return value;
}

}  // namespace

class ConversationFileTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    pictures_ = std::make_unique<PictureFolder>(folder_->filePath("store"));
    red_ = png_of(Qt::red);
    hash_ = *pictures_->add(red_);
  }

  void jsonHasEverything() {
    const QString path = folder_->filePath("a b.json");
    QVERIFY(export_conversation(conversation(), messages(), *pictures_, path, ConversationFormat::json).ok());
    const QJsonObject json = QJsonDocument::fromJson(read(path)).object();
    QCOMPARE(json["title"].toString(), QString(kOddTitle));
    QCOMPARE(json["system"].toString(), QString("Be brief.\nAlways."));
    QCOMPARE(json["changed"].toString(), QString("2026-01-31T10:15:00.250Z"));
    QCOMPARE(json["sampling"].toObject()["seed"].toString(), QString("18446744073709551615"));
    const QJsonArray list = json["messages"].toArray();
    QCOMPARE(list.size(), 4);
    const QJsonObject question = list[0].toObject();
    QCOMPARE(question["role"].toString(), QString("user"));
    QCOMPARE(question["text"].toString(), QString("What is *it*?\n  – really"));
    QCOMPARE(question["pictures"].toArray().size(), 2);
    const QJsonObject shown = question["pictures"].toArray()[0].toObject();
    QCOMPARE(shown["sha256"].toString(), hash_);
    QCOMPARE(shown["width"].toInt(), 4032);
    QCOMPARE(shown["model_height"].toInt(), 1152);
    QCOMPARE(shown["tokens"].toInt(), 1728);
    QVERIFY(!question.contains("figures"));
    const QJsonObject figures = list[1].toObject()["figures"].toObject();
    QCOMPARE(figures["ttft_ms"].toDouble(), 724.5);
    QCOMPARE(figures["stages_ms"].toObject()["prefill"].toDouble(), 388.25);
    QCOMPARE(figures["ahead_ms"].toObject()["vision"].toDouble(), 214.0);
    QCOMPARE(figures["pruned_layers"].toInt(), 12);
    QCOMPARE(figures["layers"].toInt(), 36);
    QCOMPARE(figures["boundary"].toString(), QString("text"));
    QCOMPARE(figures["prompt_tokens"].toInt(), 1800);
    QCOMPARE(figures["answer_tokens"].toInt(), 42);
    QCOMPARE(figures["decode_tokens_per_s"].toDouble(), 3.5);
    QCOMPARE(list[2].toObject()["state"].toString(), QString("stopped"));
    QCOMPARE(list[3].toObject()["error"].toString(), QString("needs 9.1 GB"));
  }

  void markdownHasItsPicturesBesideIt() {
    const QString path = folder_->filePath("ñ (50 %) #1.md");
    auto done = export_conversation(conversation(), messages(), *pictures_, path, ConversationFormat::markdown);
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().message.c_str());
    QCOMPARE(done->pictures, 1);
    QCOMPARE(done->missing, QList<QString>{"gone.png"});
    const QString text = QString::fromUtf8(read(path));
    static const QRegularExpression link("!\\[(.*)\\]\\(([^)]*)\\)");
    const auto found = link.match(text);
    QVERIFY2(found.hasMatch(), qPrintable(text));
    QCOMPARE(found.captured(1), QString("in\\[vo\\]ice.jpg"));
    const QString relative = QUrl::fromPercentEncoding(found.captured(2).toLatin1());
    QVERIFY2(QDir::isRelativePath(relative), qPrintable(relative));
    QVERIFY(relative.endsWith("/" + hash_ + ".png"));
    QCOMPARE(read(QFileInfo(path).dir().filePath(relative)), red_);
    QVERIFY(text.contains("gone.png"));
    QVERIFY(text.contains("What is *it*?\n  – really"));
    QVERIFY(text.contains("> Be brief.\n> Always."));
    QVERIFY(text.contains("## demo"));
    QVERIFY(text.contains("POP 12 of 36"));
    QVERIFY(text.startsWith("# A/B: \"50 %\"? \\<\\*\\#1\\*\\> – ñ\n"));
  }

  // A stopped answer's open fence ends with the answer.
  void openFenceIsClosed() {
    const QString text = QString::fromUtf8(conversation_markdown(conversation(), messages(), {}));
    QVERIFY2(text.contains("````json\n[1, 2\n````\n"), qPrintable(text));
  }

  void exportedAgainIsTheSame() {
    const QString path = folder_->filePath("a.md");
    for (int i = 0; i < 2; ++i) {
      QVERIFY(export_conversation(conversation(), messages(), *pictures_, path, ConversationFormat::markdown).ok());
    }
    QCOMPARE(QDir(folder_->filePath("a pictures")).entryList(QDir::Files), QStringList{hash_ + ".png"});
  }

  void unwritableFolderIsASentence_data() {
    QTest::addColumn<ConversationFormat>("format");
    QTest::addColumn<QString>("path");
    QTest::newRow("json") << ConversationFormat::json << "/proc/a.json";
    QTest::newRow("markdown, its pictures' folder") << ConversationFormat::markdown << "/proc/a.md";
    QTest::newRow("no such folder") << ConversationFormat::json << "/nowhere/at/all/a.json";
  }
  void unwritableFolderIsASentence() {
    QFETCH(ConversationFormat, format);
    QFETCH(QString, path);
    auto done = export_conversation(conversation(), messages(), *pictures_, path, format);
    QVERIFY(!done.ok());
    const QString folder = QFileInfo(path).path();
    QVERIFY2(QString::fromStdString(done.error().message).startsWith(folder), done.error().message.c_str());
  }

  void nameFromTitle() {
    QCOMPARE(file_name_for(kOddTitle), QString("AB 50 1 – ñ"));
    QCOMPARE(file_name_for("../../etc/passwd"), QString("etcpasswd"));
    QCOMPARE(file_name_for("..."), QString("Conversation"));
    QCOMPARE(file_name_for(QString()), QString("Conversation"));
    QVERIFY(file_name_for(QString(500, 'x')).size() <= 80);
  }

 private:
  static QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  static ConversationRecord conversation() {
    return {.id = "c",
            .title = kOddTitle,
            .system = "Be brief.\nAlways.",
            .sampling = {.temperature = 0.7, .seed = 18446744073709551615ULL},
            .changedMs = 1769854500250};
  }
  QList<MessageRecord> messages() const {
    MessageRecord question{.id = "1", .role = "user", .text = "What is *it*?\n  – really"};
    question.pictures = {picture(hash_, "in[vo]ice.jpg"), picture(QString(64, 'a'), "gone.png")};
    MessageRecord answer{.id = "2", .role = "assistant", .text = "**12**"};
    answer.figures.ttftMs = 724.5;
    answer.figures.stages.prefill_ms = 388.25;
    answer.figures.ahead.vision_ms = 214.0;
    answer.figures.prunedLayers = 12;
    answer.figures.layers = 36;
    answer.figures.boundary = "text";
    answer.figures.promptTokens = 1800;
    answer.figures.answerTokens = 42;
    answer.figures.tokensPerSecond = 3.5;
    answer.figures.model = "demo";
    MessageRecord stopped{.id = "3", .role = "assistant", .text = "````json\n[1, 2", .state = MessageState::stopped};
    MessageRecord failed{.id = "4", .role = "assistant", .state = MessageState::failed, .error = "needs 9.1 GB"};
    return {question, answer, stopped, failed};
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<PictureFolder> pictures_;
  QByteArray red_;
  QString hash_;
};

QTEST_GUILESS_MAIN(ConversationFileTest)
#include "tst_conversation_file.moc"
