// The desktop program.
#include <optional>

#include <QCommandLineParser>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLibraryInfo>
#include <QQmlApplicationEngine>
#include <QQuickStyle>
#include <QStandardPaths>
#include <QTextStream>
#include <QTranslator>
#include <QtQml/qqmlextensionplugin.h>

#include "app/cli/model_names.h"
#include "app/desktop/screenshots.h"
#include "app/desktop/start_measure.h"
#include "app/desktop/watched_question.h"
#include "ui/base/ui_watch.h"
#include "ui/models/program.h"
#include "ui/screens/picture_provider.h"
#include "ui/screens/screen_grabbers.h"

Q_IMPORT_QML_PLUGIN(PopLensPlugin)
Q_IMPORT_QML_PLUGIN(PopLens_CorePlugin)

namespace {

using poplens::ui::PictureProvider;
using poplens::ui::Program;

QStringList bundled_folders() {
  QStringList folders;
  for (const std::filesystem::path& folder : poplens::cli::bundled_model_folders()) {
    folders.append(QString::fromStdString(folder.string()));
  }
  return folders;
}

QString bundled_model() {
  for (const std::filesystem::path& folder : poplens::cli::bundled_model_folders()) {
    const std::filesystem::path model = folder / "demo-qwen3-vl";
    std::error_code status;
    if (std::filesystem::exists(model / "config.json", status)) return QString::fromStdString(model.string());
  }
  return {};
}

// The desktop's own font, unless it has none to give. Figures must be as wide as one another, which Noto Sans' are.
void choose_font() {
  const QString given = QGuiApplication::font().family();
  const QStringList nobodys_choice = {"", "Sans", "Sans Serif", "DejaVu Sans", "Bitstream Vera Sans"};
  if (!nobodys_choice.contains(given)) return;
  for (const char* family : {"Noto Sans", "Inter"}) {
    if (QFontDatabase::hasFamily(family)) {
      QGuiApplication::setFont(QFont(family));
      return;
    }
  }
}

// "800x600"; invalid where it is no size.
QSize size_of(const QString& text) {
  const QStringList parts = text.split('x');
  return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

// Ends the program when `task` is done, with what it has to say.
template <typename Task>
void end_with(Task& task) {
  QObject::connect(&task, &Task::finished, qApp, [&task](bool well) {
    QTextStream(well ? stdout : stderr) << task.report() << "\n";
    QGuiApplication::exit(well ? 0 : 1);
  });
}

}  // namespace

int main(int argc, char* argv[]) {
  QGuiApplication app(argc, argv);
  QGuiApplication::setApplicationName("poplens");
  QGuiApplication::setApplicationDisplayName("PopLens");
  QGuiApplication::setDesktopFileName("poplens");
  QQuickStyle::setStyle("Basic");
  choose_font();

  QCommandLineParser arguments;
  arguments.addHelpOption();
  const QCommandLineOption data("data", "Where conversations are kept.", "folder",
                                QStandardPaths::writableLocation(QStandardPaths::AppDataLocation));
  const QCommandLineOption model("model", "The model to begin with.", "folder", bundled_model());
  const QCommandLineOption language("language", "Another language than the desktop's: en or es.", "code");
  const QCommandLineOption size("size", "The window's size, for example 800x600.", "size");
  const QCommandLineOption screenshots("screenshots", "Writes pictures of the screens and ends.", "folder");
  const QCommandLineOption picture("picture", "What the screenshots, or --ask, ask about.", "file");
  const QCommandLineOption picture_tokens("picture-tokens", "The budget of that picture.", "tokens", "0");
  const QCommandLineOption ask("ask", "Asks this, says how the window's thread was meanwhile, and ends.", "text");
  const QCommandLineOption measure_start("measure-start", "Says how long window and model took to be there, and ends.");
  const QCommandLineOption watch("watch", "Says at the end how busy and how late the window's thread was.");
  arguments.addOptions({data, model, language, size, screenshots, picture, picture_tokens, ask, measure_start, watch});
  arguments.process(app);

  if (arguments.isSet(language)) QLocale::setDefault(QLocale(arguments.value(language)));
  QTranslator translator;
  if (translator.load(QLocale(), "poplens", "_", ":/i18n")) QGuiApplication::installTranslator(&translator);
  // Of the dialogs for files, where the desktop has none of its own.
  QTranslator dialogs;
  if (dialogs.load(QLocale(), "qt", "_", QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
    QGuiApplication::installTranslator(&dialogs);
  }

  Program program({.data_folder = arguments.value(data),
                   .default_model = arguments.value(model),
                   .bundled = bundled_folders(),
                   .grabber = poplens::ui::make_screen_grabber()});
  QQmlApplicationEngine engine;
  engine.addImportPath(":/qt/qml");
  engine.addImageProvider("pictures", new PictureProvider(program.pictures()));
  engine.setInitialProperties({{"program", QVariant::fromValue(&program)}});
  engine.load(QUrl("qrc:/qt/qml/PopLens/Main.qml"));
  if (engine.rootObjects().isEmpty()) return 1;
  QQuickWindow& window = *qobject_cast<QQuickWindow*>(engine.rootObjects().first());
  if (const QSize wanted = size_of(arguments.value(size)); wanted.isValid()) window.resize(wanted);

  std::optional<poplens::desktop::StartMeasure> started;
  if (arguments.isSet(measure_start)) end_with(started.emplace(program, window));
  std::optional<poplens::desktop::WatchedQuestion> question;
  if (arguments.isSet(ask)) {
    end_with(question.emplace(program, poplens::desktop::WatchedQuestion::Options{
                                           .question = arguments.value(ask),
                                           .picture = arguments.value(picture),
                                           .picture_tokens = arguments.value(picture_tokens).toInt()}));
  }
  std::optional<poplens::ui::UiWatch> window_thread;
  if (arguments.isSet(watch)) {
    window_thread.emplace();
    QObject::connect(&app, &QCoreApplication::aboutToQuit, &app,
                     [&] { QTextStream(stderr) << window_thread->report() << "\n"; });
  }
  std::optional<poplens::desktop::Screenshots> maker;
  if (arguments.isSet(screenshots)) {
    maker.emplace(program, window,
                  poplens::desktop::Screenshots::Options{.folder = arguments.value(screenshots),
                                                         .picture = arguments.value(picture)});
    QObject::connect(&*maker, &poplens::desktop::Screenshots::finished, &app,
                     [](bool well) { QGuiApplication::exit(well ? 0 : 1); });
    maker->start();
  }
  program.start();
  return QGuiApplication::exec();
}
