// render_markdown() for the screens.
#pragma once

#include <QColor>
#include <QObject>
#include <QtQml/qqmlregistration.h>

namespace poplens::ui {

class MarkdownRenderer : public QObject {
  Q_OBJECT
  QML_NAMED_ELEMENT(Markdown)
  QML_SINGLETON

 public:
  using QObject::QObject;

  Q_INVOKABLE QString render(const QString& markdown, const QColor& link, const QColor& code_background,
                             const QColor& line) const;
};

}  // namespace poplens::ui
