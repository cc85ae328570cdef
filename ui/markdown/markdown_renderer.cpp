#include "ui/markdown/markdown_renderer.h"

#include "ui/markdown/render_markdown.h"

namespace poplens::ui {

QString MarkdownRenderer::render(const QString& markdown, const QColor& link, const QColor& code_background,
                                 const QColor& line) const {
  return render_markdown(markdown,
                         {.link = link.name(), .code_background = code_background.name(), .line = line.name()});
}

}  // namespace poplens::ui
