#include "ui/markdown/markdown_renderer.h"

#include "ui/markdown/render_markdown.h"
#include "ui/markdown/text_difference.h"

namespace poplens::ui {

QString MarkdownRenderer::render(const QString& markdown, const QColor& link, const QColor& code_background,
                                 const QColor& line) const {
  return render_markdown(markdown,
                         {.link = link.name(), .code_background = code_background.name(), .line = line.name()});
}

QString MarkdownRenderer::renderMarked(const QString& markdown, int begin, int end, const QColor& link,
                                       const QColor& code_background, const QColor& line, const QColor& mark) const {
  return render_markdown(
      with_marks(markdown, {begin, end}),
      {.link = link.name(), .code_background = code_background.name(), .line = line.name(), .mark = mark.name()});
}

}  // namespace poplens::ui
