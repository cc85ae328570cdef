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
  // The characters [begin, end) of the Markdown stand on the mark's colour.
  Q_INVOKABLE QString renderMarked(const QString& markdown, int begin, int end, const QColor& link,
                                   const QColor& code_background, const QColor& line, const QColor& mark) const;
};

}  // namespace poplens::ui
