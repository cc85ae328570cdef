// One request to the desktop portal, from its call to its answer.
#pragma once

#include <functional>

#include <QDBusConnection>
#include <QObject>
#include <QVariantMap>

#include "ui/models/screen_grabber.h"

namespace poplens::ui {

// Lives on the thread that made it, which runs an event loop; deletes itself after `done` was called.
class PortalRequest : public QObject {
  Q_OBJECT

 public:
  explicit PortalRequest(std::function<void(const ScreenGrab&)> done);
  ~PortalRequest() override;
  void begin();

 private slots:
  // org.freedesktop.portal.Request.Response
  void take_response(uint code, const QVariantMap& results);

 private:
  void listen_to(const QString& path);
  void end(const ScreenGrab& grab);

  QDBusConnection bus_;
  std::function<void(const ScreenGrab&)> done_;
  QString path_;  // of the request
};

}  // namespace poplens::ui
