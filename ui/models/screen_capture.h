// A picture of the screen as an attachment: the window hides, the screen is taken, the window comes back.
#pragma once

#include <memory>

#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include "ui/models/screen_grabber.h"

namespace poplens::ui {

class AttachmentListModel;

class ScreenCapture : public QObject {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by the program")
  Q_PROPERTY(bool running READ running NOTIFY runningChanged)

 public:
  // Without a grabber every capture is refused.
  ScreenCapture(std::shared_ptr<ScreenGrabber> grabber, AttachmentListModel* attachments, QObject* parent = nullptr);

  // While it does, the window must not be seen.
  bool running() const { return running_; }

  // Takes the screen of this name. Nothing happens while a capture runs.
  Q_INVOKABLE void begin(const QString& screen);

  // How long the desktop is given to take the window away, and to answer before the window comes back all the same.
  void set_delays(int hide_ms, int most_ms);

 signals:
  void runningChanged();
  void failed(const QString& reason);

 private:
  void grab();
  void finish(const ScreenGrab& grab);

  std::shared_ptr<ScreenGrabber> grabber_;
  AttachmentListModel* attachments_;
  QString screen_;
  bool running_ = false;
  quint64 number_ = 0;  // of the capture: a late answer to an earlier one is dropped
  QTimer hiding_;
  QTimer patience_;
};

}  // namespace poplens::ui
