#include "ui/models/program.h"

namespace poplens::ui {

Program::Program(const ProgramOptions& options, QObject* parent)
    : QObject(parent),
      options_(options),
      store_(options.data_folder),
      desk_(store_.pictures()),
      client_(store_.pictures()),
      engine_(&client_),
      settings_(&store_),
      conversations_(&store_),
      pop_(&engine_, &client_, &settings_, options.data_folder + "/profiles"),
      chat_({.store = &store_,
             .engine = &client_,
             .state = &engine_,
             .pop = &pop_,
             .settings = &settings_,
             .conversations = &conversations_,
             .desk = &desk_}),
      compare_({.engine = &client_, .state = &engine_, .chat = &chat_, .pop = &pop_}),
      models_(&engine_, &settings_, options.bundled),
      conversation_settings_(&chat_, &settings_),
      exporter_(&store_, &conversations_, &chat_),
      capture_(options.grabber, chat_.attachments()) {
  connect(&store_, &ChatStore::opened, this, [this](const QString& notice) {
    if (!notice.isEmpty()) show(notice);
  });
  connect(&store_, &ChatStore::failed, this, [this](const QString& reason) { show(reason); });
  connect(&exporter_, &ConversationExporter::refused, this, [this](const QString& reason) { show(reason); });
  connect(&exporter_, &ConversationExporter::done, this, [this](const QString& told) { show(told, /*is_good=*/true); });
  connect(&chat_, &Chat::refused, this, [this](const QString& reason) { show(reason); });
  connect(&capture_, &ScreenCapture::failed, this, [this](const QString& reason) { show(reason); });
  connect(&settings_, &Settings::ready, this, [this] {
    const QString model = settings_.model().isEmpty() ? options_.default_model : settings_.model();
    engine_.choose({.folder = model, .threads = settings_.threads()});
    engine_.load();
  });
}

Program::~Program() {
  client_.stop_all();
}

void Program::start() {
  store_.open();
  conversations_.refresh();
}

void Program::show(const QString& notice, bool is_good) {
  notice_ = notice;
  notice_is_good_ = is_good;
  emit noticeChanged();
}

void Program::dismissNotice() {
  show({});
}

}  // namespace poplens::ui
