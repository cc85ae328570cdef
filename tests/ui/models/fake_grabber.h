// A screen that tests decide about.
#pragma once

#include "ui/models/screen_grabber.h"

namespace poplens::test {

class FakeGrabber : public ui::ScreenGrabber {
 public:
  void grab(const QString& name, std::function<void(const ui::ScreenGrab&)> then) override {
    screen = name;
    ++asked;
    if (at_grab) at_grab();
    done = std::move(then);
    if (answers_at_once) done(answer);
  }

  bool answers_at_once = true;
  ui::ScreenGrab answer;
  std::function<void()> at_grab;
  std::function<void(const ui::ScreenGrab&)> done;
  QString screen;
  int asked = 0;
};

}  // namespace poplens::test
