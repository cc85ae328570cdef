// The way to the screen's picture that this platform has.
#pragma once

#include <memory>

#include "ui/models/screen_grabber.h"

namespace poplens::ui {

// On Wayland the desktop portal's, where this build can speak D-Bus; else Qt's own. Null where there is none. Needs the
// application object.
std::shared_ptr<ScreenGrabber> make_screen_grabber();

}  // namespace poplens::ui
