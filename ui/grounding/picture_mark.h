// A place in a picture that an answer names.
#pragma once

#include <QRectF>
#include <QString>

namespace poplens::ui {

struct PictureMark {
  QString label;  // as the model wrote it, on one line; may be empty
  QRectF place;   // in shares of the picture's width and height, 0 to 1; a point has no size
  bool point = false;
  QString picture;  // what the model calls the picture: its number from 1, or its name; empty: it says nothing

  bool operator==(const PictureMark&) const = default;
};

}  // namespace poplens::ui
