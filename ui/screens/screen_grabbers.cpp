#include "ui/screens/screen_grabbers.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QPixmap>
#include <QScreen>

#ifdef POPLENS_HAS_DBUS
#include "ui/screens/portal_grabber.h"
#endif

namespace poplens::ui {
namespace {

class QtScreenGrabber : public ScreenGrabber {
 public:
  void grab(const QString& name, std::function<void(const ScreenGrab&)> done) override {
    QScreen* screen = QGuiApplication::primaryScreen();
    for (QScreen* candidate : QGuiApplication::screens()) {
      if (candidate->name() == name) screen = candidate;
    }
    const QPixmap pixmap = screen != nullptr ? screen->grabWindow(0) : QPixmap();
    done({.image = pixmap.toImage()});
  }
};

// Where X11 programs run on Wayland, they see an X server's empty screen.
bool on_wayland() {
  return QGuiApplication::platformName().startsWith(QLatin1String("wayland")) ||
         !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

}  // namespace

std::shared_ptr<ScreenGrabber> make_screen_grabber() {
  if (!on_wayland()) return std::make_shared<QtScreenGrabber>();
#ifdef POPLENS_HAS_DBUS
  return std::make_shared<PortalGrabber>();
#else
  return nullptr;
#endif
}

}  // namespace poplens::ui
