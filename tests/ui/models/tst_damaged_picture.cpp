// A picture whose header is whole and whose data are not: reading ahead meets it, and the strip says so before the
// question is sent.
#include <memory>

#include <QFile>
#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "ui/engine/engine_client.h"
#include "ui/models/program.h"

using namespace poplens::ui;

namespace {

const QString kSource = POPLENS_SOURCE_DIR;
constexpr int kLongMs = 60'000;

}  // namespace

class DamagedPictureTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    program_ = std::make_unique<Program>(ProgramOptions{.data_folder = folder_->filePath("data"),
                                                        .default_model = kSource + "/assets/models/demo-qwen3-vl"});
    program_->start();
    QTRY_COMPARE_WITH_TIMEOUT(program_->engine()->state(), EngineState::Ready, kLongMs);
    program_->settings()->setMaxTokens(8);
  }
  void cleanup() { program_.reset(); }

  void refusedBeforeItIsSent_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("reason");
    QTest::newRow("JPEG that is cut off") << "cut.jpg"
                                          << "cut.jpg: the file is cut off: it ends before the picture does";
    QTest::newRow("PNG that is damaged") << "bad.png"
                                         << "bad.png: a damaged PNG: the checksum of its data is wrong";
  }
  void refusedBeforeItIsSent() {
    QFETCH(QString, file);
    QFETCH(QString, reason);
    const QString path = folder_->filePath(file);
    QVERIFY(file == "cut.jpg" ? write_cut(path) : write_damaged(path));
    attachments()->addFiles({whole_picture(), QUrl::fromLocalFile(path), whole_picture()});
    QTRY_COMPARE_WITH_TIMEOUT(reason_of(1), reason, kLongMs);
    QCOMPARE(attachments()->refused(), 1);
    QCOMPARE(reason_of(0) + reason_of(2), QString());
    program_->chat()->setDraft("What is shown?");
    QVERIFY(!program_->chat()->canSend());

    attachments()->remove(1);
    QVERIFY(program_->chat()->canSend());
    QTRY_VERIFY_WITH_TIMEOUT(program_->chat()->ahead()->done(), kLongMs);
    program_->chat()->send();
    QTRY_VERIFY_WITH_TIMEOUT(!program_->chat()->running(), kLongMs);
    QCOMPARE(program_->chat()->messages()->last()->state(), ChatMessage::Done);
  }

  // Two of one name.
  void onlyTheDamagedOneIsRefused() {
    const QString elsewhere = folder_->filePath("shapes.png");
    QVERIFY(write_damaged(elsewhere));
    attachments()->addFiles({QUrl::fromLocalFile(elsewhere), whole_picture()});
    QTRY_VERIFY_WITH_TIMEOUT(!reason_of(0).isEmpty(), kLongMs);
    QCOMPARE(attachments()->refused(), 1);
    QCOMPARE(reason_of(1), QString());
  }

  // What fails for another reason refuses no picture, and is not tried again and again.
  void otherFailuresAreNoPictures() {
    QSignalSpy failed(program_->client(), &EngineClient::failed);
    program_->chat()->setSystem(QString("Be brief. ").repeated(10'000));
    attachments()->addFiles({whole_picture()});
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kLongMs);
    constexpr int kSettledMs = 1000;
    QTest::qWait(kSettledMs);
    QCOMPARE(failed.count(), 1);
    QCOMPARE(attachments()->refused(), 0);
    QVERIFY(program_->chat()->canSend());
  }

 private:
  AttachmentListModel* attachments() { return program_->chat()->attachments(); }
  QString reason_of(int row) {
    return attachments()->data(attachments()->index(row), AttachmentListModel::ReasonRole).toString();
  }
  static QUrl whole_picture() { return QUrl::fromLocalFile(kSource + "/assets/samples/shapes.png"); }

  static QImage noise() {
    QImage image(320, 240, QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) image.setPixel(x, y, qRgb(x, y, x * y));
    }
    return image;
  }
  static bool write_cut(const QString& path) {
    QFile file(path);
    return noise().save(path, "JPG") && file.resize(file.size() / 2);
  }
  // One byte in the middle is another.
  static bool write_damaged(const QString& path) {
    QFile file(path);
    if (!noise().save(path, "PNG") || !file.open(QIODevice::ReadWrite)) return false;
    const qint64 middle = file.size() / 2;
    char byte = 0;
    if (!file.seek(middle) || !file.getChar(&byte) || !file.seek(middle)) return false;
    return file.putChar(static_cast<char>(byte + 1));
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Program> program_;
};

QTEST_MAIN(DamagedPictureTest)
#include "tst_damaged_picture.moc"
