#include "ui/screens/mark_overlay.h"

#include <algorithm>
#include <limits>

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QHash>
#include <QPainter>

#include "ui/grounding/label_places.h"

namespace poplens::ui {
namespace {

constexpr double kLine = 2.0;
constexpr double kCurrentLine = 3.0;
constexpr double kHalo = 1.0;  // light, on either side of a line: a mark is seen on any picture
constexpr double kPointRadius = 5.0;
constexpr double kReach = 8.0;  // how near to a point counts as on it
constexpr double kPadding = 5.0;
constexpr double kGap = 3.0;
constexpr double kWidestLabel = 220.0;
constexpr double kLabelRadius = 4.0;
const QColor kHaloColor(255, 255, 255, 200);

}  // namespace

MarkOverlay::MarkOverlay(QQuickItem* parent) : QQuickPaintedItem(parent) {
  setAntialiasing(true);
}

void MarkOverlay::setMarked(const MarkedPicture& marked) {
  if (marked == marked_) return;
  marked_ = marked;
  colors_ = mark_colors(marked_.marks);
  setCurrent(-1);
  emit markedChanged();
  update();
}

void MarkOverlay::setPictureRect(const QRectF& rect) {
  if (rect == picture_rect_) return;
  picture_rect_ = rect;
  emit pictureRectChanged();
  update();
}

void MarkOverlay::setLabelSize(int size) {
  if (size == label_size_) return;
  label_size_ = size;
  emit labelSizeChanged();
  update();
}

void MarkOverlay::setCurrent(int mark) {
  if (mark == current_) return;
  current_ = mark;
  emit currentChanged();
  update();
}

QRectF MarkOverlay::place_of(const PictureMark& mark) const {
  return {picture_rect_.left() + mark.place.left() * picture_rect_.width(),
          picture_rect_.top() + mark.place.top() * picture_rect_.height(), mark.place.width() * picture_rect_.width(),
          mark.place.height() * picture_rect_.height()};
}

QRectF MarkOverlay::bounds() const {
  return picture_rect_.intersected(boundingRect());
}

QFont MarkOverlay::label_font() const {
  QFont font = QGuiApplication::font();
  font.setPixelSize(label_size_);
  font.setWeight(QFont::DemiBold);
  return font;
}

int MarkOverlay::markAt(const QPointF& place) const {
  qsizetype best = -1;
  double best_area = std::numeric_limits<double>::max();
  for (qsizetype i = 0; i < marked_.marks.size(); ++i) {
    const QRectF mark = place_of(marked_.marks[i]);
    const double reach = marked_.marks[i].point ? kReach : kLine;
    const double area = mark.width() * mark.height();
    if (area < best_area && mark.adjusted(-reach, -reach, reach, reach).contains(place)) {
      best = i;
      best_area = area;
    }
  }
  return static_cast<int>(best);
}

void MarkOverlay::paint_mark(QPainter& painter, qsizetype index) const {
  const PictureMark& mark = marked_.marks[index];
  const QColor color = colors_[index];
  const QRectF place = place_of(mark);
  const double line = index == current_ ? kCurrentLine : kLine;
  if (mark.point) {
    painter.setPen(QPen(kHaloColor, line));
    painter.setBrush(color);
    painter.drawEllipse(place.topLeft(), kPointRadius, kPointRadius);
    return;
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(kHaloColor, line + 2 * kHalo));
  painter.drawRect(place);
  QColor tint = color;
  tint.setAlphaF(index == current_ ? 0.25F : 0.08F);
  painter.setBrush(tint);
  painter.setPen(QPen(color, line));
  painter.drawRect(place);
}

void MarkOverlay::paint_label(QPainter& painter, qsizetype index, const QRectF& place) const {
  painter.setPen(Qt::NoPen);
  painter.setBrush(colors_[index]);
  painter.drawRoundedRect(place, kLabelRadius, kLabelRadius);
  const QRectF words = place.adjusted(kPadding, 0.0, -kPadding, 0.0);
  painter.setPen(Qt::white);
  painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                   painter.fontMetrics().elidedText(marked_.marks[index].label, Qt::ElideRight, qCeil(words.width())));
}

void MarkOverlay::paint(QPainter* painter) {
  const QRectF in_sight = bounds();
  if (marked_.marks.isEmpty() || in_sight.isEmpty()) return;
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setFont(label_font());

  const QFontMetricsF metrics(painter->font());
  QHash<QString, double> widths;
  QList<LabelWish> wishes;
  for (const PictureMark& mark : marked_.marks) {
    auto width = widths.find(mark.label);
    if (width == widths.end()) {
      width = widths.insert(mark.label, mark.label.isEmpty() ? 0.0 : metrics.horizontalAdvance(mark.label) + 1.0);
    }
    const double most = std::min(kWidestLabel, in_sight.width());
    const QSizeF size(std::min(most, *width + 2 * kPadding), metrics.height() + 2.0);
    wishes.append({place_of(mark), *width > 0.0 ? size : QSizeF(), mark.point ? kPointRadius + kGap : kGap});
  }
  for (qsizetype i = 0; i < marked_.marks.size(); ++i) {
    if (i != current_ && wishes[i].mark.adjusted(-kReach, -kReach, kReach, kReach).intersects(in_sight)) {
      paint_mark(*painter, i);
    }
  }
  const QList<QRectF> places = place_labels(wishes, in_sight);
  for (qsizetype i = 0; i < places.size(); ++i) {
    if (i != current_ && !places[i].isEmpty()) paint_label(*painter, i, places[i]);
  }
  if (current_ < 0 || current_ >= marked_.marks.size()) return;
  paint_mark(*painter, current_);
  const QRectF place = places[current_].isEmpty() ? place_labels({wishes[current_]}, in_sight)[0] : places[current_];
  if (!place.isEmpty()) paint_label(*painter, current_, place);
}

}  // namespace poplens::ui
