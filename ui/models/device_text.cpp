#include "ui/models/device_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace poplens::ui {

QString device_text(const QString& description) {
  static const QRegularExpression threads(QStringLiteral(", (\\d+) threads?$"));
  const auto match = threads.match(description);
  if (!match.hasMatch()) return description;
  const QString count = match.captured(1);
  const QString text = count == u'1' ? QCoreApplication::translate("DeviceText", "1 thread")
                                     : QCoreApplication::translate("DeviceText", "%1 threads").arg(count);
  return description.left(match.capturedStart()) + QStringLiteral(", ") + text;
}

}  // namespace poplens::ui
