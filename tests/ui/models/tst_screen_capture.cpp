// A picture of the screen becomes an attachment; whatever goes wrong, the window comes back and says why.
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/models/fake_grabber.h"
#include "ui/models/attachment_list_model.h"
#include "ui/models/screen_capture.h"
#include "ui/store/picture_desk.h"

using namespace poplens::ui;
using poplens::test::FakeGrabber;

class ScreenCaptureTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    desk_ = std::make_unique<PictureDesk>(PictureFolder(folder_->path()));
    attachments_ = std::make_unique<AttachmentListModel>(desk_.get());
    grabber_ = std::make_shared<FakeGrabber>();
    capture_ = std::make_unique<ScreenCapture>(grabber_, attachments_.get());
    capture_->set_delays(0, 60'000);
    failed_ = std::make_unique<QSignalSpy>(capture_.get(), &ScreenCapture::failed);
  }
  void cleanup() {
    failed_.reset();
    capture_.reset();
    attachments_.reset();
    desk_.reset();
  }

  void imageIsAttached() {
    grabber_->answer.image = QImage(32, 16, QImage::Format_RGB32);
    grabber_->answer.image.fill(Qt::green);
    bool running_at_grab = false;
    grabber_->at_grab = [&] { running_at_grab = capture_->running(); };
    capture_->begin("HDMI-1");
    QVERIFY(capture_->running());
    QCOMPARE(grabber_->asked, 0);  // the window is given time to go
    QTRY_VERIFY(!capture_->running());
    QVERIFY(running_at_grab);
    QCOMPARE(grabber_->screen, QString("HDMI-1"));
    QCOMPARE(attachments_->count(), 1);
    QTRY_VERIFY(!attachments_->pictures().first().hash.isEmpty());
    QCOMPARE(failed_->count(), 0);
  }

  void fileIsAttached() {
    grabber_->answer.file = QUrl::fromLocalFile(QString(POPLENS_SOURCE_DIR) + "/assets/samples/shapes.png");
    capture_->begin({});
    QTRY_COMPARE(attachments_->count(), 1);
    QCOMPARE(attachments_->pictures().first().name, QString("shapes.png"));
  }

  void refusalIsTold_data() {
    QTest::addColumn<QString>("reason");
    QTest::newRow("with a reason") << "This desktop lets no program take the screen.";
    QTest::newRow("with nothing at all") << "";
  }
  void refusalIsTold() {
    QFETCH(QString, reason);
    grabber_->answer.reason = reason;
    capture_->begin({});
    QTRY_COMPARE(failed_->count(), 1);
    const QString told = failed_->first().first().toString();
    QVERIFY(!told.isEmpty() && (reason.isEmpty() || told == reason));
    QVERIFY(!capture_->running());
    QCOMPARE(attachments_->count(), 0);
  }

  void cancellingSaysNothing() {
    grabber_->answer.cancelled = true;
    capture_->begin({});
    QTRY_VERIFY(!capture_->running());
    QCOMPARE(failed_->count(), 0);
    QCOMPARE(attachments_->count(), 0);
  }

  void withoutAWay() {
    ScreenCapture capture(nullptr, attachments_.get());
    QSignalSpy failed(&capture, &ScreenCapture::failed);
    capture.begin({});
    QCOMPARE(failed.count(), 1);
    QVERIFY(!capture.running());
  }

  void onlyOneAtATime() {
    grabber_->answers_at_once = false;
    capture_->begin({});
    QTRY_COMPARE(grabber_->asked, 1);
    capture_->begin({});
    QTest::qWait(20);
    QCOMPARE(grabber_->asked, 1);
  }

  void desktopThatNeverAnswers() {
    grabber_->answers_at_once = false;
    capture_->set_delays(0, 50);
    capture_->begin({});
    QTRY_COMPARE(failed_->count(), 1);
    QVERIFY(!capture_->running());
    // And its late answer is not taken for one to the next question.
    const auto late = grabber_->done;
    capture_->set_delays(0, 60'000);
    capture_->begin({});
    QTRY_COMPARE(grabber_->asked, 2);
    late({.image = QImage(8, 8, QImage::Format_RGB32)});
    QVERIFY(capture_->running());
    QCOMPARE(attachments_->count(), 0);
  }

 private:
  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<PictureDesk> desk_;
  std::unique_ptr<AttachmentListModel> attachments_;
  std::shared_ptr<FakeGrabber> grabber_;
  std::unique_ptr<ScreenCapture> capture_;
  std::unique_ptr<QSignalSpy> failed_;
};

QTEST_MAIN(ScreenCaptureTest)
#include "tst_screen_capture.moc"
