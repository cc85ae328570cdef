// Where the labels of marks stand over a picture.
#pragma once

#include <QList>
#include <QRectF>
#include <QSizeF>

namespace poplens::ui {

struct LabelWish {
  QRectF mark;       // what it belongs to, in the coordinates of the view; a point has no size
  QSizeF size;       // of the label
  double gap = 0.0;  // between the two
};

// One rectangle for each wish, in their order: inside `bounds`, touching no rectangle before it, above its mark where
// there is room, else below, beside or in it. Empty where there is no such place, or the mark lies outside `bounds`.
// Takes time in proportion to the number of wishes.
QList<QRectF> place_labels(const QList<LabelWish>& wishes, const QRectF& bounds);

}  // namespace poplens::ui
