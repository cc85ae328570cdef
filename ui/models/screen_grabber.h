// Takes a picture of the screen, by whatever way the platform has.
#pragma once

#include <functional>

#include <QImage>
#include <QString>
#include <QUrl>

namespace poplens::ui {

struct ScreenGrab {
  QImage image;
  QUrl file;               // instead of `image`, where the desktop has written one
  QString reason;          // one sentence, where neither is there
  bool cancelled = false;  // by the person, in a dialog of the desktop's
};

class ScreenGrabber {
 public:
  virtual ~ScreenGrabber() = default;

  // Returns at once. `done` is called once, later or before grab() returns, on the thread that called it; not at all
  // when the grabber is destroyed before.
  virtual void grab(const QString& screen, std::function<void(const ScreenGrab&)> done) = 0;
};

}  // namespace poplens::ui
