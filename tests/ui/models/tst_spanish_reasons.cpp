// The program runs in Spanish: why something cannot be done is Spanish, too, and what is stored is read in any
// language.
#include <memory>

#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/i18n/spanish_texts.h"
#include "ui/models/program.h"

using namespace poplens::ui;
using namespace poplens::test;

namespace {

const QString kModel = QString(POPLENS_SOURCE_DIR) + "/assets/models/demo-qwen3-vl";
constexpr int kLongMs = 60'000;
constexpr auto kTooLong = "la entrada tiene ";
constexpr auto kTooLongInEnglish = "the prompt has ";

std::unique_ptr<Program> start(const QString& folder) {
  auto program = std::make_unique<Program>(ProgramOptions{.data_folder = folder, .default_model = kModel});
  program->start();
  return program;
}

}  // namespace

class SpanishReasonsTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    texts_ = std::make_unique<SpanishTexts>();
    QVERIFY(QCoreApplication::installTranslator(texts_.get()));
  }
  void cleanup() { texts_.reset(); }

  void refusedQuestion() {
    {
      const auto program = start(folder_->path());
      ask_too_much(*program);
      const ChatMessage* answer = program->chat()->messages()->last();
      QCOMPARE(answer->state(), ChatMessage::Failed);
      QVERIFY2(answer->error().startsWith(kTooLong), qPrintable(answer->error()));
      QVERIFY2(answer->error().contains("en el contexto del modelo caben"), qPrintable(answer->error()));
      QVERIFY2(answer->advice().contains("conversación nueva"), qPrintable(answer->advice()));
      QVERIFY2(answer->record().error.startsWith(kTooLongInEnglish), qPrintable(answer->record().error));
    }
    expect_stored(kTooLong);
    QCoreApplication::removeTranslator(texts_.get());
    expect_stored(kTooLongInEnglish);
  }

  void pictureThatIsNone() {
    const QString path = folder_->filePath("nota %1.png");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no picture") > 0);
    file.close();
    const auto program = start(folder_->path());
    AttachmentListModel* attachments = program->chat()->attachments();
    QTRY_COMPARE_WITH_TIMEOUT(program->engine()->state(), EngineState::Ready, kLongMs);
    attachments->addFiles({QUrl::fromLocalFile(path)});
    QTRY_COMPARE_WITH_TIMEOUT(attachments->refused(), 1, kLongMs);
    const QString reason = attachments->data(attachments->index(0), AttachmentListModel::ReasonRole).toString();
    QCOMPARE(reason,
             QString("nota %1.png: no es un formato de imagen que PopLens lea (PNG, JPEG, WebP, TIFF, BMP, GIF)"));
  }

  void modelThatCannotBeLoaded() {
    const auto program = start(folder_->path());
    QTRY_COMPARE_WITH_TIMEOUT(program->engine()->state(), EngineState::Ready, kLongMs);
    program->engine()->choose({.folder = "/nowhere/model"});
    program->engine()->load();
    QTRY_COMPARE_WITH_TIMEOUT(program->engine()->state(), EngineState::Failed, kLongMs);
    QCOMPARE(program->engine()->error(), QString("/nowhere/model: no existe esa carpeta de modelo"));

    const QString gguf = folder_->filePath("models/some-Q4_K_M.gguf");
    QVERIFY(QDir().mkpath(folder_->filePath("models")));
    QFile file(gguf);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("GGUF") > 0);
    file.close();
    ModelListModel* models = program->models();
    models->addFolder(QUrl::fromLocalFile(folder_->filePath("models")));
    const auto reason_of_gguf = [&] {
      for (int row = 0; row < models->count(); ++row) {
        const QModelIndex index = models->index(row);
        if (models->data(index, ModelListModel::PathRole).toString() == gguf) {
          return models->data(index, ModelListModel::ReasonRole).toString();
        }
      }
      return QString();
    };
    QTRY_COMPARE_WITH_TIMEOUT(reason_of_gguf(), QString("los archivos GGUF aún no se admiten"), kLongMs);
  }

  void folderOfConversationsThatCannotBeMade() {
    const auto program = start("/proc/poplens");
    QTRY_VERIFY_WITH_TIMEOUT(!program->notice().isEmpty(), kLongMs);
    QVERIFY2(program->notice().contains("/proc/poplens: no se puede crear la carpeta"), qPrintable(program->notice()));
  }

  void fileThatCannotBeWritten() {
    const auto program = start(folder_->path());
    QTRY_COMPARE_WITH_TIMEOUT(program->engine()->state(), EngineState::Ready, kLongMs);
    ask_too_much(*program);
    program->exporter()->exportTo(program->chat()->conversation(), QUrl::fromLocalFile("/nowhere/at/all.md"));
    QTRY_VERIFY_WITH_TIMEOUT(program->notice().contains("no existe el archivo o la carpeta"), kLongMs);
  }

 private:
  // More than the model's context holds.
  void ask_too_much(Program& program) {
    QTRY_COMPARE_WITH_TIMEOUT(program.engine()->state(), EngineState::Ready, kLongMs);
    program.chat()->setDraft(QString("¿Qué es esto? ").repeated(10'000));
    program.chat()->send();
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat()->running(), kLongMs);
  }

  void expect_stored(const char* beginning) {
    const auto program = start(folder_->path());
    QTRY_COMPARE(program->conversations()->count(), 1);
    program->chat()->open(program->conversations()->idAt(0));
    QTRY_COMPARE(program->chat()->messages()->count(), 2);
    const QString error = program->chat()->messages()->last()->error();
    QVERIFY2(error.startsWith(beginning), qPrintable(error));
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<SpanishTexts> texts_;
};

int main(int argc, char* argv[]) {
  QGuiApplication app(argc, argv);
  SpanishReasonsTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_spanish_reasons.moc"
