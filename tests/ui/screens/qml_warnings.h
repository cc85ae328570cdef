// What QML complains of while a test runs: a test of a screen ends with none.
#pragma once

#include <QStringList>
#include <QtCore/qlogging.h>

namespace poplens::test {

class QmlWarnings {
 public:
  QmlWarnings() {
    seen().clear();
    next() = qInstallMessageHandler(keep);
  }
  ~QmlWarnings() { qInstallMessageHandler(next()); }
  QmlWarnings(const QmlWarnings&) = delete;
  QmlWarnings& operator=(const QmlWarnings&) = delete;

  QStringList all() const { return seen(); }

 private:
  // Qt's handler is a plain function.
  static QStringList& seen() {
    static QStringList warnings;
    return warnings;
  }
  static QtMessageHandler& next() {
    static QtMessageHandler handler = nullptr;
    return handler;
  }
  static void keep(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (message.contains(".qml:") || message.startsWith("QQml") || message.startsWith("QML ")) seen().append(message);
    next()(type, context, message);
  }
};

}  // namespace poplens::test
