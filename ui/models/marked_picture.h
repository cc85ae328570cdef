// A picture with what an answer marks in it.
#pragma once

#include <QColor>
#include <QList>
#include <QMetaType>
#include <QString>
#include <QtQml/qqmlregistration.h>

#include "ui/engine/jobs.h"
#include "ui/grounding/picture_mark.h"

namespace poplens::ui {

struct MarkedPicture {
  Q_GADGET
  QML_VALUE_TYPE(markedPicture)
  Q_PROPERTY(poplens::ui::SentPicture picture MEMBER picture)
  Q_PROPERTY(QString count READ count)
  Q_PROPERTY(QString description READ description)

 public:
  SentPicture picture;
  QList<PictureMark> marks;

  // "3 boxes", "1 box and 2 points"
  QString count() const;
  // What is marked, in words: "3 boxes: ring, square, square". Of many, the first ones.
  QString description() const;

  bool operator==(const MarkedPicture&) const = default;
};

// The pictures in which the answer marks something, in their order. A mark belongs to the picture that the model names
// by its number or name, else to the last one.
QList<MarkedPicture> marked_pictures(const QString& answer, const QList<SentPicture>& pictures);

// A colour for each mark: one for each label, as long as there are colours. White reads well on all of them.
QList<QColor> mark_colors(const QList<PictureMark>& marks);

}  // namespace poplens::ui
