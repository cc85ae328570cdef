// The screen's picture from the desktop portal (org.freedesktop.portal.Screenshot): the desktop asks the person which
// part of the screen they mean, and writes a file.
#pragma once

#include <memory>

#include <QList>
#include <QPointer>

#include "ui/base/task_thread.h"
#include "ui/models/screen_grabber.h"

namespace poplens::ui {

class PortalRequest;

// Talks to the session's bus on a thread of its own: a desktop that hangs must not hang the window.
class PortalGrabber : public ScreenGrabber {
 public:
  PortalGrabber();
  ~PortalGrabber() override;

  // The portal knows no names of screens. Made and used on one thread, that outlives the grabber.
  void grab(const QString& screen, std::function<void(const ScreenGrab&)> done) override;

 private:
  QObject home_;                                              // on the thread that made this
  std::shared_ptr<QList<QPointer<PortalRequest>>> requests_;  // touched on thread_ only
  TaskThread thread_;
};

}  // namespace poplens::ui
