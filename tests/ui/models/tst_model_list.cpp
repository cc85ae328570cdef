// Models on the disk, as a list: what is said of each, loading one, and folders that a person adds.
#include <QAbstractItemModelTester>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "ui/models/program.h"

using namespace poplens::ui;

namespace {

const QString kBundled = QString(POPLENS_SOURCE_DIR) + "/assets/models";
const QString kTiny = QString(POPLENS_TEST_DATA) + "/data/qwen3_vl/tiny-tied";
constexpr int kLongMs = 60'000;

}  // namespace

class ModelListTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    qputenv("HOME", folder_->path().toUtf8());
    for (const char* name : {"HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "OLLAMA_MODELS"}) qunsetenv(name);
    program_ = std::make_unique<Program>(ProgramOptions{
        .data_folder = folder_->filePath("data"), .default_model = kBundled + "/demo-qwen3-vl", .bundled = {kBundled}});
    tester_ =
        std::make_unique<QAbstractItemModelTester>(models(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    program_->start();
    QTRY_COMPARE_WITH_TIMEOUT(program_->engine()->state(), EngineState::Ready, kLongMs);
  }
  void cleanup() {
    tester_.reset();
    program_.reset();
  }

  void listsTheBundledModel() {
    look();
    QCOMPARE(models()->count(), 1);
    QCOMPARE(text(0, ModelListModel::NameRole), QString("demo-qwen3-vl"));
    QVERIFY2(text(0, ModelListModel::DetailRole).startsWith("Qwen3-VL · "),
             qPrintable(text(0, ModelListModel::DetailRole)));
    QVERIFY(text(0, ModelListModel::DetailRole).endsWith("reads pictures"));
    QVERIFY(text(0, ModelListModel::MemoryRole).startsWith("needs "));
    QVERIFY(text(0, ModelListModel::ReasonRole).isEmpty());
    QCOMPARE(state(0), ModelListModel::InUse);
    QVERIFY(models()->machine().contains("memory free"));
  }

  void addsAndRemovesFolders() {
    copy_tiny("mine/tiny");
    look();
    models()->addFolder(QUrl::fromLocalFile(folder_->filePath("mine")));
    QTRY_COMPARE(models()->count(), 2);
    QTRY_VERIFY(!models()->looking());
    QCOMPARE(models()->folders(), QStringList{folder_->filePath("mine")});
    models()->addFolder(QUrl::fromLocalFile(folder_->filePath("mine")));
    QCOMPARE(models()->folders().size(), 1);
    models()->removeFolder(folder_->filePath("mine"));
    QTRY_COMPARE(models()->count(), 1);
  }

  void loadsAnother() {
    copy_tiny("mine/tiny");
    models()->addFolder(QUrl::fromLocalFile(folder_->filePath("mine")));
    QTRY_COMPARE(models()->count(), 2);
    const int row = row_of("tiny");
    QCOMPARE(state(row), ModelListModel::Loadable);
    models()->load(row);
    QTRY_COMPARE_WITH_TIMEOUT(state(row), ModelListModel::InUse, kLongMs);
    QCOMPARE(state(row_of("demo-qwen3-vl")), ModelListModel::Loadable);
    QCOMPARE(program_->engine()->model(), QString("tiny"));
    QCOMPARE(program_->settings()->model(), folder_->filePath("mine/tiny"));
    QCOMPARE(program_->engine()->loadedShare(), 1.0);
  }

  void saysWhyAndWhatToDo() {
    copy_tiny("mine/half");
    QVERIFY(QFile::remove(folder_->filePath("mine/half/model.safetensors")));
    QFile gguf(folder_->filePath("mine/other-Q8_0.gguf"));
    QVERIFY(gguf.open(QIODevice::WriteOnly) && gguf.write("GGUF") == 4);
    gguf.close();
    models()->addFolder(QUrl::fromLocalFile(folder_->filePath("mine")));
    QTRY_COMPARE(models()->count(), 3);
    for (const QString& name : {QString("half"), QString("other-Q8_0")}) {
      const int row = row_of(name);
      QCOMPARE(state(row), ModelListModel::NotLoadable);
      QVERIFY(!text(row, ModelListModel::ReasonRole).isEmpty());
      QVERIFY(!text(row, ModelListModel::AdviceRole).isEmpty());
    }
    QVERIFY(text(row_of("half"), ModelListModel::ReasonRole).contains("model.safetensors"));
    QVERIFY(text(row_of("other-Q8_0"), ModelListModel::ReasonRole).contains("GGUF"));
  }

  // What only shows when the weights are read: the row says so, and the program goes on.
  void loadingThatFailsSaysWhy() {
    copy_tiny("mine/tiny");
    models()->addFolder(QUrl::fromLocalFile(folder_->filePath("mine")));
    QTRY_COMPARE(models()->count(), 2);
    QFile tokenizer(folder_->filePath("mine/tiny/tokenizer.json"));
    QVERIFY(tokenizer.open(QIODevice::WriteOnly | QIODevice::Truncate) && tokenizer.write("{") == 1);
    tokenizer.close();
    const int row = row_of("tiny");
    models()->load(row);
    QTRY_COMPARE_WITH_TIMEOUT(state(row), ModelListModel::Failed, kLongMs);
    QVERIFY2(text(row, ModelListModel::ReasonRole).contains("tokenizer.json"),
             qPrintable(text(row, ModelListModel::ReasonRole)));
    models()->load(row_of("demo-qwen3-vl"));
    QTRY_COMPARE_WITH_TIMEOUT(program_->engine()->state(), EngineState::Ready, kLongMs);
  }

  void loadingIsCancelled() {
    copy_tiny("mine/tiny");
    models()->addFolder(QUrl::fromLocalFile(folder_->filePath("mine")));
    QTRY_COMPARE(models()->count(), 2);
    // Stopped as soon as it tells that it loads.
    connect(program_->client(), &EngineClient::loading, this, [this](quint64 job) { program_->client()->stop(job); });
    const int row = row_of("tiny");
    models()->load(row);
    program_->client()->stop_all();
    QTRY_VERIFY_WITH_TIMEOUT(!program_->client()->busy(), kLongMs);
    QVERIFY(state(row) == ModelListModel::Chosen);
    QVERIFY(text(row, ModelListModel::ReasonRole).isEmpty());
  }

 private:
  ModelListModel* models() { return program_->models(); }
  QString text(int row, ModelListModel::Role role) { return models()->data(models()->index(row), role).toString(); }
  ModelListModel::State state(int row) {
    return models()->data(models()->index(row), ModelListModel::StateRole).value<ModelListModel::State>();
  }
  int row_of(const QString& name) {
    for (int row = 0; row < models()->count(); ++row) {
      if (text(row, ModelListModel::NameRole) == name) return row;
    }
    return -1;
  }
  void look() {
    models()->refresh();
    QVERIFY(models()->looking());
    QTRY_VERIFY(!models()->looking());
  }
  void copy_tiny(const QString& to) {
    QDir().mkpath(folder_->filePath(to));
    for (const char* name :
         {"config.json", "model.safetensors", "tokenizer.json", "preprocessor_config.json", "chat_template.jinja"}) {
      QVERIFY(QFile::copy(kTiny + "/" + name, folder_->filePath(to) + "/" + name));
    }
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<QAbstractItemModelTester> tester_;
};

QTEST_MAIN(ModelListTest)
#include "tst_model_list.moc"
