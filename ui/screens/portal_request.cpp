#include "ui/screens/portal_request.h"

#include <utility>

#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusServiceWatcher>
#include <QUrl>
#include <QUuid>

namespace poplens::ui {
namespace {

constexpr auto kPortal = "org.freedesktop.portal.Desktop";
constexpr auto kPortalPath = "/org/freedesktop/portal/desktop";
constexpr auto kRequest = "org.freedesktop.portal.Request";

QString new_name() {
  return QStringLiteral("poplens_") + QUuid::createUuid().toString(QUuid::Id128);
}

}  // namespace

// A connection of its own: the program's shared one belongs to the window's thread.
PortalRequest::PortalRequest(std::function<void(const ScreenGrab&)> done)
    : bus_(QDBusConnection::connectToBus(QDBusConnection::SessionBus, new_name())), done_(std::move(done)) {}

PortalRequest::~PortalRequest() {
  QDBusConnection::disconnectFromBus(bus_.name());
}

void PortalRequest::begin() {
  if (!bus_.isConnected()) {
    end({.reason = tr("The desktop's message bus cannot be reached, so that the screen cannot be taken: %1")
                       .arg(bus_.lastError().message())});
    return;
  }
  auto* owner = new QDBusServiceWatcher(kPortal, bus_, QDBusServiceWatcher::WatchForUnregistration, this);
  connect(owner, &QDBusServiceWatcher::serviceUnregistered, this,
          [this] { end({.reason = tr("The desktop's portal ended before it gave a picture of the screen.")}); });

  // The answer may come before the call returns, so it is listened for under the path that the portal will choose.
  const QString token = new_name();
  const QString sender = bus_.baseService().mid(1).replace(u'.', u'_');
  listen_to(QStringLiteral("/org/freedesktop/portal/desktop/request/%1/%2").arg(sender, token));

  QDBusMessage call =
      QDBusMessage::createMethodCall(kPortal, kPortalPath, "org.freedesktop.portal.Screenshot", "Screenshot");
  call << QString() << QVariantMap{{"handle_token", token}, {"interactive", true}, {"modal", false}};
  auto* watcher = new QDBusPendingCallWatcher(bus_.asyncCall(call), this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* finished) {
    const QDBusPendingReply<QDBusObjectPath> reply = *finished;
    if (reply.isError()) {
      end({.reason =
               tr("This desktop lets no program take the screen (%1); take it with the desktop's own program, and "
                  "paste it.")
                   .arg(reply.error().message())});
    } else if (reply.value().path() != path_) {
      listen_to(reply.value().path());
    }
  });
}

void PortalRequest::listen_to(const QString& path) {
  path_ = path;
  bus_.connect(kPortal, path, kRequest, "Response", this, SLOT(take_response(uint, QVariantMap)));
}

void PortalRequest::take_response(uint code, const QVariantMap& results) {
  constexpr uint kCancelled = 1;
  const QUrl file(results.value("uri").toString());
  if (code == 0 && file.isLocalFile()) {
    end({.file = file});
  } else if (code == kCancelled) {
    end({.cancelled = true});
  } else {
    end({.reason = tr("The desktop gave no picture of the screen.")});
  }
}

void PortalRequest::end(const ScreenGrab& grab) {
  if (!done_) return;
  std::exchange(done_, nullptr)(grab);
  deleteLater();
}

}  // namespace poplens::ui
