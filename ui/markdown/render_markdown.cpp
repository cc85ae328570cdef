#include "ui/markdown/render_markdown.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextList>
#include <QTextTable>

#include "ui/markdown/text_difference.h"

namespace poplens::ui {
namespace {

constexpr int kTextPixels = 14;

struct Piece {
  int position = 0;
  int length = 0;
  QTextCharFormat format;
};

QList<Piece> pieces_of(const QTextDocument& document) {
  QList<Piece> pieces;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      pieces.append({it.fragment().position(), it.fragment().length(), it.fragment().charFormat()});
    }
  }
  return pieces;
}

void style(QTextDocument& document, const MarkdownColors& colors) {
  QList<Piece> pieces = pieces_of(document);
  // From the end, since a picture's alternative text is longer than the picture's one character.
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    QTextCursor cursor(&document);
    cursor.setPosition(piece->position);
    cursor.setPosition(piece->position + piece->length, QTextCursor::KeepAnchor);
    if (piece->format.isImageFormat()) {
      const QString alternative = piece->format.property(QTextFormat::ImageAltText).toString();
      QTextCharFormat plain;
      plain.setFontItalic(true);
      cursor.insertText(
          alternative.isEmpty() ? QStringLiteral("[…]") : QLatin1Char('[') + alternative + QLatin1Char(']'), plain);
      continue;
    }
    QTextCharFormat changes;
    if (piece->format.isAnchor()) changes.setForeground(QColor(colors.link));
    if (piece->format.fontFixedPitch()) changes.setBackground(QColor(colors.code_background));
    if (changes.propertyCount() > 0) cursor.mergeCharFormat(changes);
  }
}

// Space between blocks is the screen's business; only inside a block is it the text's.
void style_paragraphs(QTextDocument& document) {
  constexpr qreal kLineHeightPercent = 112;
  constexpr qreal kInnerMargin = 6;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    QTextBlockFormat changes;
    changes.setTopMargin(0);
    changes.setBottomMargin(block.next().isValid() ? kInnerMargin : 0);
    changes.setLineHeight(kLineHeightPercent, QTextBlockFormat::ProportionalHeight);
    QTextCursor(block).mergeBlockFormat(changes);
  }
}

void style_tables(QTextDocument& document, const MarkdownColors& colors) {
  for (QTextFrame* frame : document.rootFrame()->childFrames()) {
    auto* table = qobject_cast<QTextTable*>(frame);
    if (table == nullptr) continue;
    QTextTableFormat format = table->format();
    format.setBorder(1);
    format.setBorderBrush(QColor(colors.line));
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderCollapse(true);
    format.setCellPadding(6);
    format.setCellSpacing(0);
    table->setFormat(format);
  }
}

// Before Qt 6.6 every list counts from 1. The item that a block begins with is numbered as it is written.
void number_item(QTextDocument& document, const QString& markdown) {
  static const QRegularExpression pattern(QStringLiteral("^ {0,3}(\\d{1,9}[.)])\\s"));
  const auto match = pattern.match(markdown);
  QTextBlock item = document.begin();
  QTextList* list = item.textList();
  if (!match.hasMatch() || list == nullptr || list->format().style() != QTextListFormat::ListDecimal) return;
  if (list->count() > 1) return;
  const QString number = match.captured(1) + u' ';
  list->remove(item);
  QTextBlockFormat hanging = item.blockFormat();
  hanging.setIndent(0);
  hanging.setLeftMargin(document.indentWidth());
  hanging.setTextIndent(-QFontMetricsF(document.defaultFont()).horizontalAdvance(number));
  QTextCursor cursor(item);
  cursor.setBlockFormat(hanging);
  cursor.insertText(number, QTextCharFormat());
}

// The place of a mark, which is taken out; -1: none.
int take_mark(QTextDocument& document, QChar mark) {
  QTextCursor found = document.find(QString(mark));
  if (found.isNull()) return -1;
  found.removeSelectedText();
  return found.position();
}

void style_mark(QTextDocument& document, const MarkdownColors& colors) {
  const int begin = take_mark(document, kMarkBegin);
  const int end = take_mark(document, kMarkEnd);
  if (begin < 0 || end <= begin) return;
  QTextCursor cursor(&document);
  cursor.setPosition(begin);
  cursor.setPosition(end, QTextCursor::KeepAnchor);
  QTextCharFormat mark;
  mark.setBackground(QColor(colors.mark));
  mark.setFontUnderline(true);
  cursor.mergeCharFormat(mark);
}

}  // namespace

QString render_markdown(const QString& markdown, const MarkdownColors& colors) {
  QTextDocument document;
  document.setUndoRedoEnabled(false);
  QFont font = QGuiApplication::font();
  font.setPixelSize(kTextPixels);
  document.setDefaultFont(font);
  QTextDocument::MarkdownFeatures features = QTextDocument::MarkdownDialectGitHub;
  features |= QTextDocument::MarkdownNoHTML;
  document.setMarkdown(markdown, features);
  number_item(document, markdown);
  style_paragraphs(document);
  style(document, colors);
  style_tables(document, colors);
  style_mark(document, colors);
  return document.toHtml();
}

}  // namespace poplens::ui
