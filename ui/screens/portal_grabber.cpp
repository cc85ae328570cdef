#include "ui/screens/portal_grabber.h"

#include "ui/screens/portal_request.h"

namespace poplens::ui {

PortalGrabber::PortalGrabber()
    : requests_(std::make_shared<QList<QPointer<PortalRequest>>>()), thread_(QStringLiteral("portal")) {}

PortalGrabber::~PortalGrabber() {
  thread_.post([requests = requests_] {
    for (const QPointer<PortalRequest>& request : *requests) delete request.data();
  });
}

void PortalGrabber::grab(const QString& /*screen*/, std::function<void(const ScreenGrab&)> done) {
  // home_ outlives the thread.
  thread_.post([home = &home_, requests = requests_, done = std::move(done)] {
    auto* request = new PortalRequest([home, done](const ScreenGrab& grab) {
      QMetaObject::invokeMethod(
          home, [done, grab] { done(grab); }, Qt::QueuedConnection);
    });
    requests->removeAll(nullptr);
    requests->append(request);
    request->begin();
  });
}

}  // namespace poplens::ui
