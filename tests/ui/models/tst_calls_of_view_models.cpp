// View models live on the window's thread: what their code calls, seen by the linker, opens no file, asks no database
// and lets the engine do no work. Those lie behind ui/store and ui/engine, which have threads of their own.
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

namespace {

// Arithmetic over values that are at hand.
const QStringList kEngineCalls = {
    "poplens::Boundary::",      "poplens::PopPlan::",          "poplens::StageImportance::",
    "poplens::deepest_within(", "poplens::predicted_ttft_ms(", "poplens::prefill_cost(",
    "poplens::to_string(",      "poplens::ModelFingerprint::", "poplens::predicted_prefill_ms(",
    "poplens::learn(",
};
const QStringList kNotHere = {
    "QFile::",
    "QSaveFile",
    "QDir::",
    "QDirIterator",
    "QTemporary",
    "QSettings",
    "QSql",
    "QProcess",
    "QLibrary",
    "QImageReader",
    "QImage::load(",
    "QImage::save(",
    "QFileInfo::exists",
    "QFileInfo::is",
    "QFileInfo::size",
    "QFileInfo::canonical",
    "QFileInfo::lastModified",
    "QThread::sleep",
    "QThread::msleep",
    "QThread::wait(",
    "QSemaphore::",
    "QEventLoop::exec",
    "std::basic_ifstream",
    "std::basic_ofstream",
    "std::basic_filebuf",
    "poplens::ui::EngineRoom::",
};
// A path is a value; everything else there looks at the disk.
const QString kFileSystem = "std::filesystem::";
const QString kPathValue = "std::filesystem::__cxx11::path::";
// C functions stand alone in their line.
const QStringList kNotHereAtAll = {"open", "open64", "fopen", "fopen64", "read",   "write", "stat",
                                   "mmap", "mmap64", "sleep", "usleep",  "access", "unlink"};

QStringList objects() {
  QFile list(QString(POPLENS_BINARY_DIR) + "/tests/view_model_objects.txt");
  if (!list.open(QIODevice::ReadOnly)) return {};
  const QStringList all = QString::fromUtf8(list.readAll()).split('\n', Qt::SkipEmptyParts);
  return all.filter(QRegularExpression("/(models|markdown|grounding)/[^/]*\\.cpp\\.o$"));
}

}  // namespace

class CallsOfViewModelsTest : public QObject {
  Q_OBJECT

 private slots:
  void call_data() {
    QTest::addColumn<QString>("object");
    const QStringList all = objects();
    QVERIFY2(all.size() > 15, "the list of objects is not what it was");
    for (const QString& object : all) QTest::newRow(qPrintable(object.section('/', -1))) << object;
  }
  void call() {
    QFETCH(QString, object);
    QProcess nm;
    nm.start("nm", {"--undefined-only", "--demangle", object});
    QVERIFY2(nm.waitForFinished(60'000) && nm.exitCode() == 0, qPrintable(nm.readAllStandardError()));
    const QString output = QString::fromUtf8(nm.readAllStandardOutput());
    const QStringList lines = output.split('\n', Qt::SkipEmptyParts);
    QVERIFY(lines.size() > 1);
    QStringList found;
    for (const QString& line : lines) {
      const QString symbol = line.mid(line.indexOf(QRegularExpression("[UwvW] ")) + 2).trimmed();
      if (forbidden(symbol)) found.append(symbol);
    }
    QVERIFY2(found.isEmpty(), qPrintable("\n" + found.join('\n')));
  }

 private:
  static bool begins_with_one_of(const QString& symbol, const QStringList& beginnings) {
    for (const QString& beginning : beginnings) {
      if (symbol.startsWith(beginning)) return true;
    }
    return false;
  }
  static bool forbidden(const QString& symbol) {
    if (kNotHereAtAll.contains(symbol.section('@', 0, 0)) || begins_with_one_of(symbol, kNotHere)) return true;
    if (symbol.startsWith(kFileSystem)) return !symbol.startsWith(kPathValue);
    if (!symbol.startsWith("poplens::") || symbol.startsWith("poplens::ui::")) return false;
    return !begins_with_one_of(symbol, kEngineCalls);
  }
};

QTEST_GUILESS_MAIN(CallsOfViewModelsTest)
#include "tst_calls_of_view_models.moc"
