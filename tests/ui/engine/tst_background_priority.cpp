// Threads that calculate give way to the window's: all of the engine's, the ones that it starts itself included.
#include <fstream>
#include <string>

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <sys/resource.h>
#include <unistd.h>

#include "ui/models/program.h"

using namespace poplens::ui;

namespace {

const QString kModel = QString(POPLENS_SOURCE_DIR) + "/assets/models/demo-qwen3-vl";
constexpr int kLongMs = 60'000;
constexpr int kThreads = 3;
constexpr int kNicer = 5;

QList<int> threads_named(const std::string& wanted) {
  QList<int> ids;
  for (const QString& id : QDir("/proc/self/task").entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    std::ifstream file("/proc/self/task/" + id.toStdString() + "/comm");
    std::string name;
    std::getline(file, name);
    if (name == wanted) ids.append(id.toInt());
  }
  return ids;
}

int nice_of(int thread) {
  return getpriority(PRIO_PROCESS, static_cast<id_t>(thread));
}

}  // namespace

class BackgroundPriorityTest : public QObject {
  Q_OBJECT

 private slots:
  void engineGivesWay() {
    const QTemporaryDir folder;
    Program program({.data_folder = folder.path(), .default_model = kModel});
    program.start();
    QTRY_VERIFY(!program.engine()->folder().isEmpty());
    program.engine()->choose({.folder = kModel, .threads = kThreads});
    program.chat()->setDraft("Hello");
    program.chat()->send();
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat()->running(), kLongMs);

    const int window = nice_of(gettid());
    const QList<int> engine = threads_named("engine");
    // The thread of the jobs, and those that share a product between them.
    QVERIFY2(engine.size() >= kThreads, qPrintable(QString::number(engine.size())));
    for (const int thread : engine) QCOMPARE(nice_of(thread), std::min(19, window + kNicer));
  }
};

QTEST_MAIN(BackgroundPriorityTest)
#include "tst_background_priority.moc"
