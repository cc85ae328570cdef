// One block of Markdown as the rich text that a text element shows.
#pragma once

#include <QString>

namespace poplens::ui {

struct MarkdownColors {
  QString link = QStringLiteral("#2B5FD9");
  QString code_background = QStringLiteral("#F1F1EE");
  QString line = QStringLiteral("#E2E2DD");
  QString mark = QStringLiteral("#E6EDFC");
};

// Read by Qt's own Markdown reader with HTML switched off (tags are letters). Nothing in the result makes a text
// element load anything: a picture becomes its alternative text. What with_marks() has marked is underlined and stands
// on the mark's colour.
QString render_markdown(const QString& markdown, const MarkdownColors& colors = {});

}  // namespace poplens::ui
