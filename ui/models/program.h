// Everything behind the window: what main() makes and the screens are given.
#pragma once

#include <QObject>
#include <QtQml/qqmlregistration.h>

#include "ui/engine/engine_client.h"
#include "ui/models/chat.h"
#include "ui/models/compare.h"
#include "ui/models/conversation_exporter.h"
#include "ui/models/conversation_list_model.h"
#include "ui/models/conversation_settings.h"
#include "ui/models/engine_state.h"
#include "ui/models/model_list_model.h"
#include "ui/models/pop_panel.h"
#include "ui/models/screen_capture.h"
#include "ui/models/settings.h"
#include "ui/store/chat_store.h"
#include "ui/store/picture_desk.h"

namespace poplens::ui {

struct ProgramOptions {
  QString data_folder;                     // conversations and pictures
  QString default_model;                   // where nothing else was chosen
  QStringList bundled;                     // folders of the models that come with the program
  std::shared_ptr<ScreenGrabber> grabber;  // null: the screen cannot be taken
};

class Program : public QObject {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by main")
  Q_PROPERTY(poplens::ui::EngineState* engine READ engine CONSTANT)
  Q_PROPERTY(poplens::ui::ConversationListModel* conversations READ conversations CONSTANT)
  Q_PROPERTY(poplens::ui::Chat* chat READ chat CONSTANT)
  Q_PROPERTY(poplens::ui::PopPanel* pop READ pop CONSTANT)
  Q_PROPERTY(poplens::ui::Compare* compare READ compare CONSTANT)
  Q_PROPERTY(poplens::ui::ModelListModel* models READ models CONSTANT)
  Q_PROPERTY(poplens::ui::ConversationSettings* conversationSettings READ conversationSettings CONSTANT)
  Q_PROPERTY(QString dataFolder READ dataFolder CONSTANT)
  Q_PROPERTY(poplens::ui::Settings* settings READ settings CONSTANT)
  Q_PROPERTY(poplens::ui::ConversationExporter* exporter READ exporter CONSTANT)
  Q_PROPERTY(poplens::ui::ScreenCapture* capture READ capture CONSTANT)
  Q_PROPERTY(QString notice READ notice NOTIFY noticeChanged)
  Q_PROPERTY(bool noticeIsGood READ noticeIsGood NOTIFY noticeChanged)

 public:
  explicit Program(const ProgramOptions& options, QObject* parent = nullptr);
  ~Program() override;

  EngineState* engine() { return &engine_; }
  ConversationListModel* conversations() { return &conversations_; }
  Chat* chat() { return &chat_; }
  PopPanel* pop() { return &pop_; }
  Compare* compare() { return &compare_; }
  ModelListModel* models() { return &models_; }
  ConversationSettings* conversationSettings() { return &conversation_settings_; }
  QString dataFolder() const { return options_.data_folder; }
  Settings* settings() { return &settings_; }
  ConversationExporter* exporter() { return &exporter_; }
  ScreenCapture* capture() { return &capture_; }
  EngineClient* client() { return &client_; }
  PictureFolder pictures() const { return store_.pictures(); }

  // One sentence that a person must see whatever the screen (a damaged database, a disk that is full).
  QString notice() const { return notice_; }
  // It says that something was done, and not what went wrong.
  bool noticeIsGood() const { return notice_is_good_; }
  Q_INVOKABLE void dismissNotice();

  // Opens what is kept on the disk.
  void start();

 signals:
  void noticeChanged();

 private:
  void show(const QString& notice, bool is_good = false);

  ProgramOptions options_;
  QString notice_;
  bool notice_is_good_ = false;
  ChatStore store_;
  PictureDesk desk_;
  EngineClient client_;
  EngineState engine_;
  Settings settings_;
  ConversationListModel conversations_;
  PopPanel pop_;
  Chat chat_;
  Compare compare_;
  ModelListModel models_;
  ConversationSettings conversation_settings_;
  ConversationExporter exporter_;
  ScreenCapture capture_;
};

}  // namespace poplens::ui
