// Draws an answer's boxes and points, with their labels, over a picture: lines and letters keep their size however far
// the picture is zoomed in.
#pragma once

#include <QQuickPaintedItem>
#include <QRectF>
#include <QtQml/qqmlregistration.h>

#include "ui/models/marked_picture.h"

namespace poplens::ui {

class MarkOverlay : public QQuickPaintedItem {
  Q_OBJECT
  QML_ELEMENT
  Q_PROPERTY(poplens::ui::MarkedPicture marked READ marked WRITE setMarked NOTIFY markedChanged)
  Q_PROPERTY(QRectF pictureRect READ pictureRect WRITE setPictureRect NOTIFY pictureRectChanged)
  Q_PROPERTY(int labelSize READ labelSize WRITE setLabelSize NOTIFY labelSizeChanged)
  Q_PROPERTY(int current READ current WRITE setCurrent NOTIFY currentChanged)

 public:
  explicit MarkOverlay(QQuickItem* parent = nullptr);

  const MarkedPicture& marked() const { return marked_; }
  void setMarked(const MarkedPicture& marked);
  // Where the picture lies, in the item's coordinates.
  QRectF pictureRect() const { return picture_rect_; }
  void setPictureRect(const QRectF& rect);
  // In pixels.
  int labelSize() const { return label_size_; }
  void setLabelSize(int size);
  // The mark that is drawn on top, with its label whatever is in the way; -1: none.
  int current() const { return current_; }
  void setCurrent(int mark);

  // The smallest mark at this place; -1 where there is none.
  Q_INVOKABLE int markAt(const QPointF& place) const;

  void paint(QPainter* painter) override;

 signals:
  void markedChanged();
  void pictureRectChanged();
  void labelSizeChanged();
  void currentChanged();

 private:
  // In the item's coordinates.
  QRectF place_of(const PictureMark& mark) const;
  void paint_mark(QPainter& painter, qsizetype index) const;
  void paint_label(QPainter& painter, qsizetype index, const QRectF& place) const;
  // The part of the picture that is in sight.
  QRectF bounds() const;
  QFont label_font() const;

  MarkedPicture marked_;
  QList<QColor> colors_;
  QRectF picture_rect_;
  int label_size_ = 12;
  int current_ = -1;
};

}  // namespace poplens::ui
