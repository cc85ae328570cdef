// Boxes and points in an answer, as Qwen3-VL writes them: JSON objects with "bbox_2d" [x1, y1, x2, y2] or "point_2d"
// [x, y] in thousandths of the picture, and a "label"; in a fence or bare, in lists or alone.
#pragma once

#include <QList>
#include <QString>

#include "ui/grounding/picture_mark.h"

namespace poplens::ui {

constexpr int kMostMarks = 4096;

// Every object that is whole, however broken the text around it is; at most kMostMarks. Corners are put in order and
// cut at the picture's edges, and a box with nothing inside them is left out. A fence of another language than JSON is
// passed over. One pass over the text, and no text makes it fail.
QList<PictureMark> parse_marks(const QString& answer);

}  // namespace poplens::ui
