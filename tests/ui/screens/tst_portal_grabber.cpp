// The desktop portal asked for the screen's picture, over a bus of the test's own: its answers, refusals and silence.
#include <QDBusConnection>
#include <QDBusContext>
#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include "ui/screens/portal_grabber.h"

using namespace poplens::ui;

namespace {

constexpr auto kService = "org.freedesktop.portal.Desktop";
constexpr auto kPath = "/org/freedesktop/portal/desktop";

}  // namespace

class FakePortal : public QObject, protected QDBusContext {
  Q_OBJECT
  Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Screenshot")

 public:
  enum class Answer { atOnce, later, onAPathOfItsOwn, error, never };
  Answer answer = Answer::atOnce;
  uint code = 0;
  QVariantMap results;
  QVariantMap options;

 public slots:
  QDBusObjectPath Screenshot(const QString& /*parent*/, const QVariantMap& asked) {
    options = asked;
    QString path = QStringLiteral("/org/freedesktop/portal/desktop/request/%1/%2")
                       .arg(message().service().mid(1).replace('.', '_'), asked["handle_token"].toString());
    if (answer == Answer::onAPathOfItsOwn) path = "/org/freedesktop/portal/desktop/request/old/1";
    if (answer == Answer::error) sendErrorReply(QDBusError::AccessDenied, "not here");
    if (answer == Answer::atOnce) respond(path);
    if (answer == Answer::later || answer == Answer::onAPathOfItsOwn) {
      QTimer::singleShot(100, this, [this, path] { respond(path); });
    }
    return QDBusObjectPath(path);
  }

 private:
  void respond(const QString& path) {
    QDBusMessage signal = QDBusMessage::createSignal(path, "org.freedesktop.portal.Request", "Response");
    signal << code << results;
    QDBusConnection(QStringLiteral("portal")).send(signal);
  }
};

class PortalGrabberTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    bus_.start("dbus-daemon", {"--session", "--nofork", "--print-address"});
    if (!bus_.waitForStarted()) QSKIP("dbus-daemon is not installed");
    QVERIFY(bus_.waitForReadyRead());
    qputenv("DBUS_SESSION_BUS_ADDRESS", bus_.readLine().trimmed());
  }
  void cleanupTestCase() {
    QDBusConnection::disconnectFromBus("portal");
    bus_.kill();
    bus_.waitForFinished();
  }
  void init() {
    portal_ = std::make_unique<FakePortal>();
    portal_->results = {{"uri", "file:///tmp/a%20b.png"}};
    QDBusConnection bus = QDBusConnection::connectToBus(QDBusConnection::SessionBus, "portal");
    QVERIFY(bus.registerObject(kPath, portal_.get(), QDBusConnection::ExportAllSlots));
    QVERIFY(bus.registerService(kService));
    grabber_ = std::make_unique<PortalGrabber>();
    answers_.clear();
  }
  void cleanup() {
    grabber_.reset();
    QDBusConnection("portal").unregisterObject(kPath);
  }

  void givesTheFile_data() {
    QTest::addColumn<FakePortal::Answer>("answer");
    QTest::newRow("before the call returns") << FakePortal::Answer::atOnce;
    QTest::newRow("after it") << FakePortal::Answer::later;
    QTest::newRow("an old portal, on another path") << FakePortal::Answer::onAPathOfItsOwn;
  }
  void givesTheFile() {
    QFETCH(FakePortal::Answer, answer);
    portal_->answer = answer;
    grab();
    QTRY_COMPARE(answers_.size(), 1);
    QCOMPARE(answers_[0].reason, QString());
    QCOMPARE(answers_[0].file.toLocalFile(), QString("/tmp/a b.png"));
    QCOMPARE(portal_->options["interactive"].toBool(), true);
  }

  void cancelledByThePerson() {
    portal_->code = 1;
    portal_->results.clear();
    grab();
    QTRY_COMPARE(answers_.size(), 1);
    QVERIFY(answers_[0].cancelled);
    QCOMPARE(answers_[0].reason, QString());
  }

  void refusals_data() {
    QTest::addColumn<FakePortal::Answer>("answer");
    QTest::addColumn<uint>("code");
    QTest::addColumn<QString>("uri");
    QTest::newRow("error") << FakePortal::Answer::error << 0U << "file:///tmp/a.png";
    QTest::newRow("failed") << FakePortal::Answer::later << 2U << "file:///tmp/a.png";
    QTest::newRow("no file") << FakePortal::Answer::later << 0U << "https://example.com/a.png";
  }
  void refusals() {
    QFETCH(FakePortal::Answer, answer);
    QFETCH(uint, code);
    QFETCH(QString, uri);
    portal_->answer = answer;
    portal_->code = code;
    portal_->results = {{"uri", uri}};
    grab();
    QTRY_COMPARE(answers_.size(), 1);
    QVERIFY(!answers_[0].reason.isEmpty());
    QVERIFY(answers_[0].file.isEmpty());
  }

  void portalThatEnds() {
    portal_->answer = FakePortal::Answer::never;
    grab();
    QTRY_VERIFY(!portal_->options.isEmpty());
    QVERIFY(QDBusConnection("portal").unregisterService(kService));
    QTRY_COMPARE(answers_.size(), 1);
    QVERIFY(!answers_[0].reason.isEmpty());
  }

  void noPortal() {
    QVERIFY(QDBusConnection("portal").unregisterService(kService));
    grab();
    QTRY_COMPARE(answers_.size(), 1);
    QVERIFY(!answers_[0].reason.isEmpty());
  }

  // The program ends while the desktop still asks the person.
  void grabberThatGoesFirst() {
    portal_->answer = FakePortal::Answer::never;
    grab();
    QTRY_VERIFY(!portal_->options.isEmpty());
    grabber_.reset();
    QCOMPARE(answers_.size(), 0);
  }

 private:
  void grab() {
    grabber_->grab({}, [this](const ScreenGrab& grab) { answers_.append(grab); });
  }

  QProcess bus_;
  std::unique_ptr<FakePortal> portal_;
  std::unique_ptr<PortalGrabber> grabber_;
  QList<ScreenGrab> answers_;
};

QTEST_GUILESS_MAIN(PortalGrabberTest)
#include "tst_portal_grabber.moc"
