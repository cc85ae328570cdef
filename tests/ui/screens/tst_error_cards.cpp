// What cannot be answered is a card in the conversation: why, one thing to do, and the conversation goes on.
#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/ui/screens/screen_driver.h"

using namespace poplens::ui;
using namespace poplens::test;

namespace {

constexpr auto kNoCard = "no card";

}  // namespace

class ErrorCardsTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    home_ = std::make_unique<QTemporaryDir>();
    screen_ = std::make_unique<ScreenDriver>();
    QVERIFY(screen_->up());
    QTRY_COMPARE_WITH_TIMEOUT(program().engine()->state(), EngineState::Ready, kLongMs);
    program().settings()->setMaxTokens(8);
  }
  void cleanup() { screen_.reset(); }

  // The cache for an answer of a thousand million tokens is more than any machine has.
  void promptThatDoesNotFitMemory() {
    QVERIFY(make_model(1 << 30));
    program().engine()->choose({.folder = model_folder()});
    program().settings()->setMaxTokens(1 << 30);
    ask("Hello");
    const QString card = card_text();
    QVERIFY2(card.contains("not enough memory: a prompt of ") && card.contains(" needs ") && card.contains(" are free"),
             qPrintable(card));
    QVERIFY2(card.contains("begin a new conversation"), qPrintable(card));
    QCOMPARE(program().engine()->state(), EngineState::Ready);
    goes_on();
  }

  // Its weights' file says a thousand gigabytes, and holds nothing.
  void modelThatDoesNotFitMemory() {
    QVERIFY(make_model(4096));
    QVERIFY(QFile::remove(model_folder() + "/model.safetensors"));
    const qint64 bytes = 1'000'000'000'000;
    QByteArray header = R"({"x":{"dtype":"U8","shape":[1000000000000],"data_offsets":[0,1000000000000]}})";
    header.append(QByteArray(static_cast<int>(-header.size() & 7), ' '));
    QFile weights(model_folder() + "/model.safetensors");
    QVERIFY(weights.open(QIODevice::WriteOnly));
    const quint64 length = static_cast<quint64>(header.size());
    weights.write(reinterpret_cast<const char*>(&length), sizeof length);
    weights.write(header);
    if (!weights.resize(static_cast<qint64>(sizeof length) + header.size() + bytes)) {
      QSKIP("this file system holds no files of a thousand gigabytes");
    }
    weights.close();
    program().engine()->choose({.folder = model_folder()});
    ask("Hello");
    const QString card = card_text();
    QVERIFY2(card.contains("loading the model needs 1000.0 GB"), qPrintable(card));
    QVERIFY2(card.contains("smaller model"), qPrintable(card));
    QCOMPARE(program().engine()->state(), EngineState::Failed);
    program().engine()->choose({.folder = ScreenDriver::source("assets/models/demo-qwen3-vl")});
    goes_on();
  }

  void modelThatIsNotThere() {
    program().engine()->choose({.folder = "/nowhere/model"});
    ask("Hello");
    QVERIFY2(card_text().contains("/nowhere/model"), qPrintable(card_text()));
    QVERIFY2(card_text().contains("Choose another model"), qPrintable(card_text()));
    program().engine()->choose({.folder = ScreenDriver::source("assets/models/demo-qwen3-vl")});
    goes_on();
  }

  // Its header tells all that is shown before it is sent, where nothing is read ahead.
  void pictureThatIsCutOff() {
    program().settings()->setPrefillAhead(false);
    const QString path = home_->filePath("cut.jpg");
    QVERIFY(write_cut_off(path));
    screen_->drop({path});
    AttachmentListModel* attachments = program().chat()->attachments();
    QTRY_VERIFY_WITH_TIMEOUT(attachments->count() == 1 && attachments->ready(), kLongMs);
    ask("What is shown?");
    QVERIFY2(card_text().contains("cut.jpg: the file is cut off"), qPrintable(card_text()));
    QVERIFY2(card_text().contains("an undamaged copy"), qPrintable(card_text()));
  }
  void pictureThatIsCutOffIsToldBeforeItIsSent() {
    const QString path = home_->filePath("cut.jpg");
    QVERIFY(write_cut_off(path));
    screen_->drop({path});
    QVERIFY(screen_->shows("cut.jpg: the file is cut off"));
    QCOMPARE(card_text(), QString(kNoCard));
  }

 private:
  Program& program() { return screen_->program(); }
  QString model_folder() const { return home_->filePath("model"); }

  static bool write_cut_off(const QString& path) {
    QImage image(640, 480, QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) image.setPixel(x, y, qRgb(x, y, x * y));
    }
    QFile file(path);
    return image.save(path, "JPG") && file.resize(file.size() / 2);
  }

  // The bundled model with another context.
  bool make_model(int context) {
    const QString bundled = ScreenDriver::source("assets/models/demo-qwen3-vl");
    if (!QDir().mkpath(model_folder())) return false;
    for (const QString& name : QDir(bundled).entryList(QDir::Files)) {
      if (name != "config.json" && !QFile::link(bundled + "/" + name, model_folder() + "/" + name)) return false;
    }
    QFile original(bundled + "/config.json");
    if (!original.open(QIODevice::ReadOnly)) return false;
    QJsonObject config = QJsonDocument::fromJson(original.readAll()).object();
    QJsonObject text = config["text_config"].toObject();
    text["max_position_embeddings"] = context;
    config["text_config"] = text;
    QFile file(model_folder() + "/config.json");
    return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(config).toJson()) > 0;
  }

  void ask(const QString& text) {
    screen_->type(text);
    screen_->press(Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(!program().chat()->running(), kLongMs);
    QCOMPARE(program().chat()->messages()->last()->state(), ChatMessage::Failed);
    // The list makes its rows with the next frame.
    QTRY_VERIFY(card_text() != QString(kNoCard));
  }
  QString card_text() {
    QAccessibleInterface* card = screen_->find("", QAccessible::AlertMessage);
    return card == nullptr ? QString(kNoCard) : card->text(QAccessible::Name);
  }
  // The card's own button asks again.
  void goes_on() {
    screen_->program().settings()->setMaxTokens(8);
    SamplingChoice sampling = program().chat()->sampling();
    sampling.maxTokens = 8;
    program().chat()->set_sampling(sampling);
    QVERIFY(screen_->click("Try again"));
    QTRY_VERIFY_WITH_TIMEOUT(!program().chat()->running(), kLongMs);
    QCOMPARE(program().chat()->messages()->last()->state(), ChatMessage::Done);
    QTRY_VERIFY(screen_->find("", QAccessible::AlertMessage) == nullptr);
  }

  std::unique_ptr<QTemporaryDir> home_;
  std::unique_ptr<ScreenDriver> screen_;
};

int main(int argc, char* argv[]) {
  qputenv("QT_QUICK_BACKEND", "software");
  QGuiApplication app(argc, argv);
  ErrorCardsTest test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_error_cards.moc"
