// The desktop program.
#include <optional>

#include <QCommandLineParser>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QQmlApplicationEngine>
#include <QQuickStyle>
#include <QStandardPaths>
#include <QTextStream>
#include <QTranslator>
#include <QtQml/qqmlextensionplugin.h>

#include "app/cli/model_names.h"
#include "app/desktop/screenshots.h"
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

}  // namespace

int main(int argc, char* argv[]) {
  QGuiApplication app(argc, argv);
  QGuiApplication::setApplicationName("poplens");
  QGuiApplication::setApplicationDisplayName("PopLens");
  QGuiApplication::setDesktopFileName("poplens");
  QQuickStyle::setStyle("Basic");
  choose_font();
  QTranslator translator;
  if (translator.load(QLocale(), "poplens", "_", ":/i18n")) QGuiApplication::installTranslator(&translator);

  QCommandLineParser arguments;
  arguments.addHelpOption();
  const QCommandLineOption data("data", "Where conversations are kept.", "folder",
                                QStandardPaths::writableLocation(QStandardPaths::AppDataLocation));
  const QCommandLineOption model("model", "The model to begin with.", "folder", bundled_model());
  const QCommandLineOption screenshots("screenshots", "Writes pictures of the screens and ends.", "folder");
  const QCommandLineOption picture("picture", "What the screenshots ask about.", "file");
  const QCommandLineOption watch("watch", "Says at the end how busy and how late the window's thread was.");
  arguments.addOptions({data, model, screenshots, picture, watch});
  arguments.process(app);

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
  program.start();
  std::optional<poplens::ui::UiWatch> window_thread;
  if (arguments.isSet(watch)) {
    window_thread.emplace();
    QObject::connect(&app, &QCoreApplication::aboutToQuit, &app,
                     [&] { QTextStream(stderr) << window_thread->report() << "\n"; });
  }
  if (!arguments.isSet(screenshots)) return QGuiApplication::exec();

  poplens::desktop::Screenshots maker(program, *qobject_cast<QQuickWindow*>(engine.rootObjects().first()),
                                      {.folder = arguments.value(screenshots), .picture = arguments.value(picture)});
  QObject::connect(&maker, &poplens::desktop::Screenshots::finished, &app,
                   [](bool well) { QGuiApplication::exit(well ? 0 : 1); });
  maker.start();
  return QGuiApplication::exec();
}
